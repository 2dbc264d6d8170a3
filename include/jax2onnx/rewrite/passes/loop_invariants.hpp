// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/operators/views/functions.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Values that loops compute in every iteration without need, and values that Ifs and loops only pass through.
namespace jax2onnx::rewrite::detail {

using operators::block_of;
using operators::carried_places_of;
using operators::handed_on;

/// Returns whether a node can move out of a loop with this body: the node is a function of its operands, and all of
/// these are from outside. If the loop may have no iteration, nodes that can fail stay in the loop.
inline bool is_invariant(const graph& g, block_id body, const node& n, bool may_be_empty) {
  const auto is_inside = [&](value_id v) { return v != value_id::none && g.at(v).home == body; };
  return operators::is_function(g, n) && item_loops::none_of(n.inputs, is_inside) &&
         !(may_be_empty && operators::can_fail(g, n));
}

/// Moves the invariant nodes in the body of a Loop or Scan to the end of the current block, where the loop will be.
/// Returns their number. Source: loop-invariant code motion.
inline std::size_t hoist_invariants(graph& g, const node& loop) {
  const block_id body = operators::block_of(loop, "body");
  if (body == block_id::none || !has_trait(loop, trait::has_loop_body)) return 0;
  std::vector<node_id>& nodes = g.at(body).nodes;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const node& n = g.at(nodes[i]);
    if (!is_invariant(g, body, n, operators::may_have_no_iteration(loop))) {
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

/// For an If: the value from outside that both branches return as result `i`. For a Loop or Scan: the value from
/// outside that loop-carried value `i` equals in every iteration. None if there is no such value.
inline value_id settled_result(const graph& g, const node& n, std::size_t i) {
  if (operators::is_choice(n)) {
    const block_id taken = block_of(n, "then_branch"), other = block_of(n, "else_branch");
    const value_id v = handed_on(g, g.at(taken).outputs[i]);
    return v == handed_on(g, g.at(other).outputs[i]) && g.at(v).home != taken ? v : value_id::none;
  }
  const block& body = g.at(block_of(n, "body"));
  const carried_places at = carried_places_of(n);
  if (i >= at.count || handed_on(g, body.outputs[at.results + i]) != body.inputs[at.inputs + i]) return value_id::none;
  return n.inputs[at.inputs + i];
}

/// Takes result `i` out of an If, or loop-carried value `i` out of a Loop or Scan.
inline void erase_result(graph& g, node& n, std::size_t i) {
  const auto erase = [](std::vector<value_id>& values, std::size_t at) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
  };
  erase(n.outputs, i);
  if (operators::is_choice(n)) {
    for (const std::string_view branch : {"then_branch", "else_branch"}) erase(g.at(block_of(n, branch)).outputs, i);
    return;
  }
  block& body = g.at(block_of(n, "body"));
  const carried_places at = carried_places_of(n);
  erase(n.inputs, at.inputs + i);
  erase(body.inputs, at.inputs + i);
  erase(body.outputs, at.results + i);
}

}  // namespace jax2onnx::rewrite::detail
