#pragma once

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// What a loop computes in every iteration and need not.
namespace jax2onnx::rewrite::detail {

/// Whether a node gives the same results in every iteration of a loop with this body: all of its operands are from
/// outside. Nodes with blocks are not looked into. A Loop may have no iteration, so that what can fail stays in it:
/// indices out of range, and division of integers by 0.
inline bool is_invariant(const graph& g, block_id body, const node& n, bool may_be_empty) {
  const auto is_body = [](const attribute& a) { return std::holds_alternative<block_id>(a.value); };
  const auto is_inside = [&](value_id v) { return v != value_id::none && g.at(v).home == body; };
  if (!n.domain.empty() || n.inputs.empty() || std::ranges::any_of(n.attributes, is_body)) return false;
  if (std::ranges::any_of(n.inputs, is_inside)) return false;
  const op_record* record = find_record({}, n.op, g.opset());
  if (!record || !record->deterministic) return false;
  if (!may_be_empty) return true;
  if (has_trait(n, trait::reads_places) || has_trait(n, trait::writes_places)) return false;
  return !has_trait(n, trait::divides) || is_floating(g.at(n.inputs[0]).type.type);
}

/// Moves what is invariant in the body of a Loop or Scan to the end of the current block, where the loop will be.
/// Returns the number of nodes. Source: loop-invariant code motion.
inline std::size_t hoist_invariants(graph& g, const node& loop) {
  const attribute* attribute = loop.find("body");
  const block_id* body = attribute ? std::get_if<block_id>(&attribute->value) : nullptr;
  if (!body || !has_trait(loop, trait::has_loop_body)) return 0;
  std::vector<node_id>& nodes = g.at(*body).nodes;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const node& n = g.at(nodes[i]);
    if (!is_invariant(g, *body, n, loop.op == "Loop")) {
      nodes[kept++] = nodes[i];
      continue;
    }
    for (value_id v : n.outputs)
      if (v != value_id::none) g.at(v).home = g.current();
    g.append(nodes[i]);
  }
  const std::size_t moved = nodes.size() - kept;
  nodes.resize(kept);
  return moved;
}

}  // namespace jax2onnx::rewrite::detail
