// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl/evaluate/evaluate.inl.hpp>
#include <jax2onnx/dsl/structure/constants.inl.hpp>
#include <jax2onnx/dsl/structure/functions.inl.hpp>
#include <jax2onnx/dsl/typed/extent_math.inl.hpp>
#include <jax2onnx/dsl/typed/shapes.inl.hpp>
#include <jax2onnx/dsl/typed/tensor.inl.hpp>
#include <jax2onnx/dsl/typed/typed_call.inl.hpp>
