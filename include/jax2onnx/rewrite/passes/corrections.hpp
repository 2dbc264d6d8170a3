// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Corrections of results that a runtime's kernels get wrong.
namespace jax2onnx::rewrite::detail {

/// A correction of the results of an operator.
struct correction {
  operator_name op;
  value (*correct)(const value& y);  ///< the corrected result; absent if y is right
};

/// Applies corrections. Each correction applies to a node once, and never to the nodes that it adds; a rule would also
/// apply to these nodes.
class corrector {
 public:
  corrector(graph& g, std::span<const correction> corrections, const std::vector<bool>& exact)
      : graph_(g), corrections_(corrections), exact_(exact) {}

  void run() {
    for (std::size_t b = 0; b < graph_.block_count(); ++b)
      rebuild(graph_, static_cast<block_id>(b), [this](node_id n) {
        graph_.append(n);
        visit(n);
      });
  }

 private:
  void visit(node_id id) {
    for (const correction& c : corrections_)
      if (graph_.at(id).op == c.op && can_correct(id)) correct(id, c);
  }
  bool can_correct(node_id id) const {
    const node& n = graph_.at(id);
    if (n.outputs[0] == value_id::none || !has_only(graph_, n, is_known)) return false;
    const auto v = static_cast<std::size_t>(n.outputs[0]);
    return v >= exact_.size() || !exact_[v];
  }

  /// Makes the readers of the node's result read the corrected result: the node that makes the corrected result takes
  /// over the id of the old result.
  void correct(node_id id, const correction& c) {
    const value_id result = graph_.at(id).outputs[0];
    const value_id raw = graph_.add_value(graph_.at(result).type, graph_.current());
    set_result(id, raw);
    const std::size_t before = graph_.node_count();
    const value corrected = c.correct({graph_, raw});
    give_origin(graph_, before, id);
    set_result(corrected ? graph_.at(corrected.id()).producer : id, result);
  }
  void set_result(node_id n, value_id v) {
    graph_.at(n).outputs[0] = v;
    graph_.at(v).producer = n;
  }

  graph& graph_;
  std::span<const correction> corrections_;
  const std::vector<bool>& exact_;
};

/// Corrects all results except the values for which `exact` holds.
inline void apply_corrections(graph& g, std::span<const correction> corrections, const std::vector<bool>& exact = {}) {
  corrector(g, corrections, exact).run();
}

}  // namespace jax2onnx::rewrite::detail
