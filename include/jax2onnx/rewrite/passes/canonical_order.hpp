// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>

namespace jax2onnx::rewrite::detail {

/// Sorts the nodes of every block, also in functions that can be rewritten, into an order that depends on the graph
/// alone: by equation, and within an equation by the order in which the outputs need them. Creation order is not
/// deterministic: C++ does not specify which operand of `sub(mul(a, b), mul(c, d))` is evaluated first. Expects a graph
/// without dead nodes.
class canonical_order {
 public:
  explicit canonical_order(graph& g) : graph_(g) {}

  void run() {
    rank_nodes(roots::outputs);
    for (std::size_t n = 0; n < key_.size(); ++n)
      key_[n] |= static_cast<std::uint64_t>(graph_.at(static_cast<node_id>(n)).origin) << 32;
    sort();
    rank_nodes(roots::nodes);
    sort();
  }

 private:
  /// The nodes of a block that a ranking starts from, in order: the producers of its outputs, or all.
  enum class roots : bool { outputs, nodes };
  /// A node, and the range of its dependencies in waiting_. The node is none in the first frame, whose dependencies are
  /// nodes of the main block and of functions.
  struct frame {
    node_id node;
    std::size_t first, next, last;
  };

  static std::size_t index(node_id n) { return static_cast<std::size_t>(n); }

  /// Sets the keys to ranks in postorder: a node comes after all that it and its blocks use.
  void rank_nodes(roots from);
  void sort();

  void wait_for_producers(const std::vector<value_id>& values) {
    for (const value_id v : values)
      if (v != value_id::none && graph_.at(v).producer != node_id::none) waiting_.push_back(graph_.at(v).producer);
  }
  void wait_for_block(block_id b, roots from) {
    if (from == roots::outputs) return wait_for_producers(graph_.at(b).outputs);
    const std::vector<node_id>& nodes = graph_.at(b).nodes;
    waiting_.insert(waiting_.end(), nodes.begin(), nodes.end());
  }
  void wait_for_dependencies(const node& n, roots from) {
    wait_for_producers(n.inputs);
    for (const attribute& a : n.attributes)
      if (const block_id* b = std::get_if<block_id>(&a.value)) wait_for_block(*b, from);
  }

  graph& graph_;
  std::vector<std::uint64_t> key_;  // the key of each node
  std::vector<node_id> waiting_;
};

inline void canonical_order::rank_nodes(roots from) {
  key_.assign(graph_.node_count(), std::numeric_limits<std::uint32_t>::max());
  std::uint32_t count = 0;
  std::vector<bool> seen(graph_.node_count());
  wait_for_block(block_id::main, from);
  for (const model_function& f : graph_.functions())
    if (is_rewritable(graph_, f)) wait_for_block(f.body, from);
  std::vector<frame> path{{node_id::none, 0, 0, waiting_.size()}};
  while (!path.empty()) {
    frame& top = path.back();
    if (top.next == top.last) {
      if (top.node != node_id::none) key_[index(top.node)] = count++;
      waiting_.resize(top.first);
      path.pop_back();
      continue;
    }
    const node_id n = waiting_[top.next++];
    if (seen[index(n)]) continue;
    seen[index(n)] = true;
    const std::size_t first = waiting_.size();
    wait_for_dependencies(graph_.at(n), from);
    path.push_back({n, first, first, waiting_.size()});
  }
}

inline void canonical_order::sort() {
  const auto earlier = [this](node_id a, node_id b) { return key_[index(a)] < key_[index(b)]; };
  for (std::size_t b = 0; b < graph_.block_count(); ++b) {
    std::vector<node_id>& nodes = graph_.at(static_cast<block_id>(b)).nodes;
    if (!std::is_sorted(nodes.begin(), nodes.end(), earlier)) std::stable_sort(nodes.begin(), nodes.end(), earlier);
  }
}

}  // namespace jax2onnx::rewrite::detail
