// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/weights/read_weights.inl.hpp>
