#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx::rewrite::detail {

/// ReduceMax(x) -> Min(ReduceMax(x), ReduceL1(x)), ReduceMin(x) -> Max(ReduceMin(x), -ReduceL1(x)), for floating-point
/// x; likewise a scatter with the reduction max or min, with a scatter that adds magnitudes. ONNX Runtime's kernels
/// sometimes ignore NaN. The sum of magnitudes is NaN where x has one, and otherwise no less than any element, so that
/// it changes nothing. A pass, not a rule: it must run after all fusions, since the result matches the pattern again.
class nan_propagation {
 public:
  explicit nan_propagation(graph& g) : graph_(g) {}

  void run() {
    for (std::size_t b = 0; b < graph_.block_count(); ++b) {
      const std::vector<node_id> nodes = std::exchange(graph_.at(static_cast<block_id>(b)).nodes, {});
      const insertion_scope here(graph_, static_cast<block_id>(b));
      for (node_id n : nodes) {
        graph_.append(n);
        const std::string_view bound = bound_of(graph_.at(n));
        if (!bound.empty() && is_floating(graph_.at(graph_.at(n).inputs[0]).type.type)) correct(n, bound);
      }
    }
  }

 private:
  /// The operator that combines a node's result with the sum of magnitudes; empty for most nodes.
  static std::string_view bound_of(const node& n) {
    if (!n.domain.empty()) return {};
    if (n.op == "ReduceMax") return "Min";
    if (n.op == "ReduceMin") return "Max";
    const attribute* a = n.op.starts_with("Scatter") ? n.find("reduction") : nullptr;
    const auto* reduction = a ? std::get_if<std::string>(&a->value) : nullptr;
    if (!reduction) return {};
    return *reduction == "max" ? "Min" : *reduction == "min" ? "Max" : "";
  }

  value_id emit(std::string_view op, std::vector<value_id> inputs, tensor_type type, value_id result = value_id::none,
                std::vector<attribute> attributes = {}) {
    node added{.op = op,
               .inputs = std::move(inputs),
               .outputs = {},
               .attributes = std::move(attributes),
               .origin = origin_,
               .domain = {}};
    if (result == value_id::none) result = graph_.add_value(std::move(type), graph_.current());
    added.outputs.push_back(result);
    graph_.append(graph_.add_node(std::move(added)));
    return result;
  }
  value_id magnitude(value_id v) { return emit("Abs", {v}, graph_.at(v).type); }

  /// The sum of the magnitudes of the elements that `n` compares.
  value_id sum_of(const node& n, const tensor_type& type) {
    if (n.op.starts_with("Reduce")) return emit("ReduceL1", n.inputs, type, value_id::none, n.attributes);
    std::vector<attribute> attributes = n.attributes;
    for (attribute& a : attributes)
      if (a.name == "reduction") a.value = std::string("add");
    return emit(n.op, {magnitude(n.inputs[0]), n.inputs[1], magnitude(n.inputs[2])}, type, value_id::none,
                std::move(attributes));
  }

  void correct(node_id id, std::string_view bound) {
    const node n = graph_.at(id);
    const value_id out = n.outputs[0];
    const tensor_type type = graph_.at(out).type;
    origin_ = n.origin;
    const value_id extreme = graph_.add_value(type, graph_.current());
    graph_.at(id).outputs[0] = extreme;
    graph_.at(extreme).producer = id;
    value_id sum = sum_of(n, type);
    if (bound == "Max") sum = emit("Neg", {sum}, type);
    emit(bound, {extreme, sum}, type, out);
  }

  graph& graph_;
  std::uint32_t origin_ = 0;  // of the current node
};

/// Makes reductions and scatters to a maximum or minimum return NaN where an element is NaN.
inline void propagate_nan(graph& g) { nan_propagation(g).run(); }

}  // namespace jax2onnx::rewrite::detail
