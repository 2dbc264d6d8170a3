#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx::rewrite {

/// Puts the nodes of every block into an order that the graph alone decides: that of the equations, within an equation that
/// in which the outputs need them. The order in which nodes were made will not do: C++ leaves it to the compiler which
/// operand of `sub(mul(a, b), mul(c, d))` is made first. Needs a graph without dead nodes.
class canonical_order {
 public:
  explicit canonical_order(graph& g) : graph_(g) {}

  void run() {
    number([this](block_id b) { wait_for_producers(graph_.at(b).outputs); });
    sort([this](node_id n) { return std::pair(graph_.at(n).origin, rank_[index(n)]); });
    number(
        [this](block_id b) { waiting_.insert(waiting_.end(), graph_.at(b).nodes.begin(), graph_.at(b).nodes.end()); });
    sort([this](node_id n) { return rank_[index(n)]; });
  }

 private:
  /// A node, none for the main block, and its part of waiting_: what comes before it.
  struct frame {
    node_id node;
    std::size_t first, next, last;
  };
  static constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

  static std::size_t index(node_id n) { return static_cast<std::size_t>(n); }

  void wait_for_producers(const std::vector<value_id>& values) {
    for (const value_id v : values)
      if (v != value_id::none && graph_.at(v).producer != node_id::none) waiting_.push_back(graph_.at(v).producer);
  }

  /// Ranks in postorder: a node after all that it and its blocks use. `roots` adds what is wanted of a block, in order.
  template <typename Roots>
  void number(Roots roots) {
    rank_.assign(graph_.node_count(), unseen);
    std::uint32_t count = 0;
    std::vector<bool> seen(graph_.node_count());
    roots(block_id::main);
    std::vector<frame> path{{node_id::none, 0, 0, waiting_.size()}};
    while (!path.empty()) {
      frame& top = path.back();
      if (top.next == top.last) {
        if (top.node != node_id::none) rank_[index(top.node)] = count++;
        waiting_.resize(top.first);
        path.pop_back();
        continue;
      }
      const node_id n = waiting_[top.next++];
      if (seen[index(n)]) continue;
      seen[index(n)] = true;
      const std::size_t first = waiting_.size();
      wait_for_dependencies(n, roots);
      path.push_back({n, first, first, waiting_.size()});
    }
  }

  template <typename Roots>
  void wait_for_dependencies(node_id id, Roots roots) {
    const node& n = graph_.at(id);
    wait_for_producers(n.inputs);
    for (const attribute& a : n.attributes)
      if (const block_id* b = std::get_if<block_id>(&a.value)) roots(*b);
  }

  template <typename Key>
  void sort(Key key) {
    for (std::size_t b = 0; b < graph_.block_count(); ++b) {
      std::vector<node_id>& nodes = graph_.at(static_cast<block_id>(b)).nodes;
      if (!std::ranges::is_sorted(nodes, {}, key)) std::ranges::stable_sort(nodes, {}, key);  // most blocks are
    }
  }

  graph& graph_;
  std::vector<std::uint32_t> rank_;
  std::vector<node_id> waiting_;
};

}  // namespace jax2onnx::rewrite
