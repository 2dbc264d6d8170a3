// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

/// Rebuilds the lists of nodes of blocks.
namespace jax2onnx::rewrite {

/// Rebuilds a block's list of nodes: empties the list, and calls visit(n) for every node n that was in it. `visit` has
/// to append n or its replacement to the current block.
template <class Visit>
void rebuild(graph& g, block_id b, const Visit& visit) {
  const std::vector<node_id> nodes = std::exchange(g.at(b).nodes, {});
  const insertion_scope here(g, b);
  for (const node_id n : nodes) visit(n);
}

/// Calls visit(b) for every body b of a node. `visit` may add nodes.
template <class Visit>
void for_each_body(graph& g, node_id n, const Visit& visit) {
  const std::size_t count = g.at(n).attributes.size();
  for (std::size_t i = 0; i < count; ++i)
    if (const block_id* body = std::get_if<block_id>(&g.at(n).attributes[i].value)) visit(*body);
}

/// Gives the origin of `n` to the nodes that were added since the graph had `first` nodes.
inline void give_origin(graph& g, std::size_t first, node_id n) {
  for (std::size_t added = first; added < g.node_count(); ++added)
    g.at(static_cast<node_id>(added)).origin = g.at(n).origin;
}

/// Makes the node that produces `made` produce `old` instead.
inline void take_place(const value& made, const value& old) {
  graph& g = made.owner();
  const node_id maker = g.at(made.id()).producer;
  std::ranges::replace(g.at(maker).outputs, made.id(), old.id());
  g.at(old.id()).producer = maker;
}

}  // namespace jax2onnx::rewrite
