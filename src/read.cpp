// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/read/join.inl.hpp>
#include <jax2onnx/read/read_model.inl.hpp>
