// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

/// Sizes of blocks, and copies of their nodes.
namespace jax2onnx::rewrite {

/// The number of nodes of a block, including the nodes of its subgraphs; counting stops above `limit`.
inline std::size_t node_total(const graph& g, block_id b, std::size_t limit) {
  std::size_t total = g.at(b).nodes.size();
  for (node_id n : g.at(b).nodes)
    for (const attribute& a : g.at(n).attributes)
      if (const block_id* inner = std::get_if<block_id>(&a.value); inner && total <= limit)
        total += node_total(g, *inner, limit - total);
  return total;
}

/// Copies a block's nodes to the end of the current block, with other values in place of the block's inputs.
class block_copy {
 public:
  explicit block_copy(graph& g) : graph_(g) {}

  /// Copies all nodes, and returns the copies of the block's outputs.
  std::vector<value> of(block_id b, std::span<const value> inputs) {
    nodes_before(node_id::none, b, inputs);
    std::vector<value> outputs;
    for (value_id v : graph_.at(b).outputs) outputs.emplace_back(graph_, copy_of(v));
    return outputs;
  }
  /// Copies the nodes before `end`, or all nodes if the block does not have `end`.
  void nodes_before(node_id end, block_id b, std::span<const value> inputs) {
    const std::vector<value_id>& formal = graph_.at(b).inputs;
    for (std::size_t i = 0; i < formal.size(); ++i) copies_[formal[i]] = inputs[i].id();
    copy_nodes(b, end);
  }
  /// Copies one node, with the nodes of its blocks.
  void copy(node_id id) {
    node n = graph_.at(id);
    for (value_id& v : n.inputs) v = copy_of(v);
    for (attribute& a : n.attributes)
      if (block_id* inner = std::get_if<block_id>(&a.value)) *inner = copy_of_block(*inner);
    for (value_id& v : n.outputs) v = add_copy(v);
    graph_.append(graph_.add_node(std::move(n)));
  }
  /// Makes later copies read `by` in place of `v`.
  void replace(const value& v, const value& by) { copies_[v.id()] = by.id(); }
  /// The copy of a value, or the value itself if it was not copied.
  value of(const value& v) const { return {graph_, copy_of(v.id())}; }

 private:
  value_id copy_of(value_id v) const {
    const auto i = copies_.find(v);
    return i == copies_.end() ? v : i->second;
  }
  value_id add_copy(value_id v) {
    if (v == value_id::none) return v;
    return copies_[v] = graph_.add_value(graph_.at(v).type, graph_.current(), graph_.at(v).name);
  }
  void copy_nodes(block_id b, node_id end = node_id::none) {
    for (std::size_t i = 0; i < graph_.at(b).nodes.size() && graph_.at(b).nodes[i] != end; ++i)
      copy(graph_.at(b).nodes[i]);
  }
  block_id copy_of_block(block_id b) {
    const block_scope scope(graph_);
    for (value_id v : graph_.at(b).inputs) graph_.at(scope.id()).inputs.push_back(copy_of_input(v));
    copy_nodes(b);
    for (value_id v : graph_.at(b).outputs) graph_.at(scope.id()).outputs.push_back(copy_of(v));
    return scope.id();
  }

  /// Copies an input of a block with its known range, such as the range of the iteration number.
  value_id copy_of_input(value_id v) {
    const value_id copy = add_copy(v);
    if (const interval* range = graph_.known_range(v)) graph_.set_range(copy, interval(*range));
    return copy;
  }

  graph& graph_;
  std::unordered_map<value_id, value_id> copies_;
};

}  // namespace jax2onnx::rewrite
