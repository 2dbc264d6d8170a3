// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/ops/call/operators.hpp>

namespace jax2onnx::detail {

JAX2ONNX_INLINE value erased_node(std::string_view op, const operand& a) { return node_builder(op, {a}).build(); }
JAX2ONNX_INLINE value erased_node(std::string_view op, const operand& a, const operand& b) {
  return node_builder(op, {a, b}).build();
}

JAX2ONNX_INLINE value erased_remainder(const operand& a, const operand& b) {
  node_builder n("Mod", {a, b});
  const value tensor = a.as_value() ? a.as_value() : b.as_value();
  n.set("fmod", is_floating(tensor.dtype()), false);
  return n.build();
}

}  // namespace jax2onnx::detail
