// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/lower/batching/rules.inl.hpp>
#include <jax2onnx/lower/builtin.inl.hpp>
#include <jax2onnx/lower/direct/lower_primitive.inl.hpp>
#include <jax2onnx/lower/dispatch.inl.hpp>
#include <jax2onnx/lower/lowerer.inl.hpp>
#include <jax2onnx/lower/signature.inl.hpp>
#include <jax2onnx/lower/site.inl.hpp>
#include <jax2onnx/lower/typing.inl.hpp>
