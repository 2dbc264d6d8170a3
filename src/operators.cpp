// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/operators/records/find.inl.hpp>
