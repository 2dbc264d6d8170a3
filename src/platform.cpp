// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/platform/platform.inl.hpp>
