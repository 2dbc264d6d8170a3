// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/emit/model.inl.hpp>
#include <jax2onnx/emit/text.inl.hpp>
