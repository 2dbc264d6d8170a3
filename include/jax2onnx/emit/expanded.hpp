// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/graph/functions/inline.hpp>
#include <jax2onnx/graph/graph.hpp>

/// emit_options::inline_functions: writes a copy of the graph without calls of functions.
namespace jax2onnx::detail {

inline bool expands(const graph& g, const emit_options& options) {
  return options.inline_functions && !g.functions().empty();
}

inline graph expanded(const graph& g) {
  graph out = g.clone();
  inline_functions(out);
  return out;
}

inline emit_options kept(emit_options options) {
  options.inline_functions = false;
  return options;
}

}  // namespace jax2onnx::detail
