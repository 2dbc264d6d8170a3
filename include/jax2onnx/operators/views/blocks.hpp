// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

/// The blocks of If, Loop and Scan, and which of their values correspond. Source: ONNX's If, Loop and Scan.
namespace jax2onnx::operators {

/// True if a node is an If of ai.onnx.
inline bool is_choice(const node& n) { return n.op == "If" && n.domain.empty(); }
/// True if a node with a body is a Loop, which may have no iteration because of its condition or trip count. A Scan has
/// an iteration for every element.
inline bool may_have_no_iteration(const node& loop) { return loop.op == "Loop"; }
/// True if a node is an Identity.
inline bool is_copy(const node& n) { return n.op == "Identity" && n.domain.empty(); }

/// The value that Identity nodes pass on as `v`; `v` itself if no Identity makes it.
inline value_id handed_on(const graph& g, value_id v) {
  for (;;) {
    const node_id n = v == value_id::none ? node_id::none : g.at(v).producer;
    if (n == node_id::none || !is_copy(g.at(n))) return v;
    v = g.at(n).inputs[0];
  }
}

/// The positions of the loop-carried values of a Loop or Scan.
struct carried_places {
  std::size_t count = 0;
  std::size_t inputs = 0;   ///< the number of inputs before the carried values, in the node and in the body
  std::size_t results = 0;  ///< the number of results before the carried values, in the body
};
inline carried_places carried_places_of(const node& loop) {
  if (may_have_no_iteration(loop)) return {loop.inputs.size() - 2, 2, 1};
  const attribute* scanned = loop.find("num_scan_inputs");
  const auto* count = scanned ? std::get_if<std::int64_t>(&scanned->value) : nullptr;
  return {count ? loop.inputs.size() - static_cast<std::size_t>(*count) : 0, 0, 0};
}

/// The block of an attribute; none if there is no such attribute.
inline block_id block_of(const node& n, std::string_view name) {
  const attribute* a = n.find(name);
  const block_id* b = a ? std::get_if<block_id>(&a->value) : nullptr;
  return b ? *b : block_id::none;
}

/// Calls f for each value that a node reads. These are its operands and the values that its blocks read, including
/// values of these blocks.
template <class F>
void for_each_read(const graph& g, const node& n, const F& f) {
  const auto each = [&](const std::vector<value_id>& values) {
    for (const value_id v : values)
      if (v != value_id::none) f(v);
  };
  each(n.inputs);
  for (const attribute& a : n.attributes)
    if (const block_id* b = std::get_if<block_id>(&a.value)) {
      for (const node_id inner : g.at(*b).nodes) for_each_read(g, g.at(inner), f);
      each(g.at(*b).outputs);
    }
}

/// True if the blocks of an If, Loop or Scan have the inputs and results that the operator needs.
inline bool fits_its_blocks(const graph& g, const node& n) {
  const auto has_results = [&](block_id b, std::size_t count) {
    return b != block_id::none && g.at(b).outputs.size() == count;
  };
  if (is_choice(n))
    return has_results(block_of(n, "then_branch"), n.outputs.size()) &&
           has_results(block_of(n, "else_branch"), n.outputs.size());
  if (may_have_no_iteration(n) && n.inputs.size() < 2) return false;
  const block_id body = block_of(n, "body");
  const carried_places at = carried_places_of(n);
  return has_results(body, at.results + n.outputs.size()) && g.at(body).inputs.size() == n.inputs.size() &&
         at.inputs + at.count <= n.inputs.size() && at.count <= n.outputs.size();
}

}  // namespace jax2onnx::operators
