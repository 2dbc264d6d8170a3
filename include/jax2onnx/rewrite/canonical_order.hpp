#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <jax2onnx/build/graph.hpp>

namespace jax2onnx::rewrite {

/// Puts the nodes of every block into an order that the graph alone decides: that of the equations, within an equation that
/// in which the outputs need them. The order in which nodes were made will not do: C++ leaves it to the compiler which
/// operand of `sub(mul(a, b), mul(c, d))` is made first. Needs a graph without dead nodes.
class canonical_order {
 public:
  explicit canonical_order(graph& g) : graph_(g) {}

  void run() {
    number([this](block_id b) { return producers(graph_.at(b).outputs); });
    sort([this](node_id n) { return std::pair(graph_.at(n).origin, rank_[index(n)]); });
    number([this](block_id b) { return graph_.at(b).nodes; });
    sort([this](node_id n) { return rank_[index(n)]; });
  }

 private:
  struct frame {
    node_id node;                  // none: the main block
    std::vector<node_id> depends;  // what comes before it
    std::size_t next = 0;
  };
  static constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

  static std::size_t index(node_id n) { return static_cast<std::size_t>(n); }

  std::vector<node_id> producers(const std::vector<value_id>& values) const {
    std::vector<node_id> nodes;
    for (const value_id v : values)
      if (v != value_id::none && graph_.at(v).producer != node_id::none) nodes.push_back(graph_.at(v).producer);
    return nodes;
  }

  /// Ranks in postorder: a node after all that it and its blocks use. `roots` says what is wanted of a block, in order.
  template <typename Roots>
  void number(Roots roots) {
    rank_.assign(graph_.node_count(), unseen);
    std::uint32_t count = 0;
    std::vector<frame> path{{node_id::none, roots(block_id::main)}};
    std::vector<bool> seen(graph_.node_count());
    while (!path.empty()) {
      frame& top = path.back();
      if (top.next == top.depends.size()) {
        if (top.node != node_id::none) rank_[index(top.node)] = count++;
        path.pop_back();
        continue;
      }
      const node_id n = top.depends[top.next++];
      if (seen[index(n)]) continue;
      seen[index(n)] = true;
      path.push_back({n, dependencies(n, roots)});
    }
  }

  template <typename Roots>
  std::vector<node_id> dependencies(node_id id, Roots roots) const {
    const node& n = graph_.at(id);
    std::vector<node_id> all = producers(n.inputs);
    for (const attribute& a : n.attributes) {
      if (const block_id* b = std::get_if<block_id>(&a.value)) {
        const std::vector<node_id> inner = roots(*b);
        all.insert(all.end(), inner.begin(), inner.end());
      }
    }
    return all;
  }

  template <typename Key>
  void sort(Key key) {
    for (std::size_t b = 0; b < graph_.block_count(); ++b)
      std::ranges::stable_sort(graph_.at(static_cast<block_id>(b)).nodes, {}, key);
  }

  graph& graph_;
  std::vector<std::uint32_t> rank_;
};

}  // namespace jax2onnx::rewrite
