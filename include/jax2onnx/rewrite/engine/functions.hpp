// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/graph/functions/traces.hpp>
#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx::rewrite::detail {

/// True if the nodes of a function can be rewritten: it has nodes, and its calls agree in dtypes and ranks.
inline bool is_rewritable(const graph& g, const model_function& f) {
  return f.body != block_id::none && !jax2onnx::detail::is_generic(g, f.body);
}

/// Calls visit(body) for every function that can be rewritten, in a scope where the extents of its operands are known.
template <class Visit>
void for_each_function(graph& g, const Visit& visit) {
  for (const model_function& f : g.functions()) {
    if (!is_rewritable(g, f)) continue;
    const function_scope scope(g, f.body);
    visit(f.body);
  }
}

/// Drops the traces of functions that can be rewritten, since the rewritten nodes will differ from the traces.
inline void forget_traces(graph& g) {
  for (model_function& f : g.functions())
    if (is_rewritable(g, f)) f.traces.clear();
}

}  // namespace jax2onnx::rewrite::detail
