// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/dsl/typed/typed_call.hpp>

namespace jax2onnx::detail {

JAX2ONNX_INLINE value plain_node(std::string_view op, const value& x) { return node_builder(op, {x}).build(); }
JAX2ONNX_INLINE value plain_node(std::string_view op, const value& a, const value& b) {
  return node_builder(op, {a, b}).build();
}

}  // namespace jax2onnx::detail
