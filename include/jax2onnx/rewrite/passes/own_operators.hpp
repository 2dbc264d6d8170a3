// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx::rewrite::detail {

/// From this number of logits of a head on, MultiHeadAttention is faster than Attention (benchmarks/contrib.py).
inline constexpr std::int64_t logits_of_long_attention = std::int64_t{1} << 20;
/// With fewer queries, MultiHeadAttention is slower than Attention.
inline constexpr std::int64_t queries_of_long_attention = 400;

/// Returns whether `n` is a long Attention(q, k, v) without a mask, of shape (batch, length, heads * features), with as
/// many heads for keys as for queries.
inline bool is_long_attention(const graph& g, const node& n) {
  if (n.op != "Attention" || !n.domain.empty() || n.inputs.size() != 3 || n.outputs.size() != 1) return false;
  const shape &queries = g.at(n.inputs[0]).type.dims, &keys = g.at(n.inputs[1]).type.dims;
  if (queries.size() != 3 || !queries[1].is_constant() || !keys[1].is_constant()) return false;
  for (const attribute& a : n.attributes)
    if (!a.reference.empty()) return false;
  const attribute *heads = n.find("q_num_heads"), *groups = n.find("kv_num_heads");
  if (!heads || !groups || heads->value != groups->value || !n.find("scale") || n.attributes.size() != 3) return false;
  return queries[1].extent() >= queries_of_long_attention &&
         keys[1].extent() >= logits_of_long_attention / queries[1].extent();
}

/// Attention(q, k, v) -> com.microsoft.MultiHeadAttention(q, k, v) if it is long: ONNX Runtime's kernel for
/// MultiHeadAttention keeps only a block of the logits; its kernel for Attention keeps all logits.
inline void use_own_operators(graph& g) {
  for (std::size_t i = 0; i < g.node_count(); ++i) {
    node& n = g.at(static_cast<node_id>(i));
    if (!is_long_attention(g, n)) continue;
    n.attributes = {{"num_heads", n.find("q_num_heads")->value}, {"scale", n.find("scale")->value}};
    n.op = operator_name::unchecked("MultiHeadAttention");
    n.domain = "com.microsoft";
  }
}

}  // namespace jax2onnx::rewrite::detail
