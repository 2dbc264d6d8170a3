#pragma once

#include <utility>
#include <vector>

#include <jax2onnx/build/graph.hpp>

namespace jax2onnx::rewrite {

/// ReduceMax(x) -> Min(ReduceMax(x), ReduceL1(x)), ReduceMin(x) -> Max(ReduceMin(x), -ReduceL1(x)), for floating-point x.
/// ONNX Runtime's kernels pass NaN over in places. The sum of magnitudes is NaN where x has one, and otherwise no less
/// than every element, so that it changes nothing. Runs after fusion: softmax has its own operator.
class nan_propagation {
 public:
  explicit nan_propagation(graph& g) : graph_(g) {}

  void run() {
    for (std::size_t b = 0; b < graph_.block_count(); ++b) {
      const std::vector<node_id> nodes = std::exchange(graph_.at(static_cast<block_id>(b)).nodes, {});
      const insertion_scope here(graph_, static_cast<block_id>(b));
      for (node_id n : nodes) {
        graph_.append(n);
        const bool extreme = graph_.at(n).op == "ReduceMax" || graph_.at(n).op == "ReduceMin";
        if (extreme && graph_.at(n).domain.empty() && is_floating(graph_.at(graph_.at(n).inputs[0]).type.type)) correct(n);
      }
    }
  }

 private:
  value_id emit(std::string_view op, std::vector<value_id> inputs, const node& like, value_id result = value_id::none) {
    node added{.op = op, .inputs = std::move(inputs), .outputs = {}, .attributes = {}, .origin = like.origin, .domain = {}};
    if (op == "ReduceL1") added.attributes = like.attributes;
    if (result == value_id::none) result = graph_.add_value(type_, graph_.current());
    added.outputs.push_back(result);
    graph_.append(graph_.add_node(std::move(added)));
    return result;
  }

  void correct(node_id n) {
    const node reduction = graph_.at(n);
    const value_id out = reduction.outputs[0];
    type_ = graph_.at(out).type;
    const value_id extreme = graph_.add_value(type_, graph_.current());
    graph_.at(n).outputs[0] = extreme;
    graph_.at(extreme).producer = n;
    const value_id sum = emit("ReduceL1", reduction.inputs, reduction);
    if (reduction.op == "ReduceMax") emit("Min", {extreme, sum}, reduction, out);
    else emit("Max", {extreme, emit("Neg", {sum}, reduction)}, reduction, out);
  }

  graph& graph_;
  tensor_type type_;  // of the reduction at hand
};

/// Makes reductions to an extreme yield NaN where an element is.
inline void propagate_nan(graph& g) { nan_propagation(g).run(); }

}  // namespace jax2onnx::rewrite
