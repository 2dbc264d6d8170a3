// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/ops/call/node_builder.inl.hpp>
#include <jax2onnx/ops/call/operand.inl.hpp>
#include <jax2onnx/ops/call/operators.inl.hpp>
#include <jax2onnx/ops/checked.inl.hpp>
#include <jax2onnx/ops/control.inl.hpp>
