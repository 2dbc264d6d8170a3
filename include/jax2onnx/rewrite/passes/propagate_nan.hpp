#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/lower_bound.hpp>
#include <jax2onnx/rewrite/engine/producer.hpp>

/// Corrections of operators whose kernels in ONNX Runtime ignore NaN: ReduceMax, ReduceMin, scatters to a maximum or
/// minimum, MaxPool, and ReduceLogSumExp (docs/decisions/0025).
namespace jax2onnx::rewrite::detail {

/// min(y, magnitudes) for a maximum y, max(y, -magnitudes) for a minimum, where `magnitudes` is the sum of the
/// magnitudes of the elements: NaN where one is NaN, and otherwise no less than any element.
inline value bounded_extreme(const value& y, const value& magnitudes, bool largest) {
  return largest ? minimum(y, magnitudes) : maximum(y, neg(magnitudes));
}

inline value exact_reduction(const value& y) {
  const node& n = *producer(y);
  const value magnitudes = y.owner().emit("ReduceL1", inputs_of(y), y.type(), n.attributes);
  return bounded_extreme(y, magnitudes, n.op == "ReduceMax");
}

/// Of a scatter: the magnitudes are added by the same scatter.
inline value exact_scatter(const value& y) {
  const auto reduction = attribute_of<std::string>(y, "reduction");
  if (reduction != "max" && reduction != "min") return {};
  std::vector<attribute> attributes = producer(y)->attributes;
  for (attribute& a : attributes)
    if (a.name == "reduction") a.value = std::string("add");
  const value magnitudes =
      y.owner().emit(producer(y)->op, {abs(input_of(y, 0)), input_of(y, 1), abs(input_of(y, 2))}, y.type(), attributes);
  return bounded_extreme(y, magnitudes, reduction == "max");
}

/// 2 MaxPool(x / 2), since MaxPool(x) can give the lowest finite number for -inf. Narrow types are computed in float,
/// whose lowest number is -inf in them.
inline value exact_at_minus_infinity(const value& y) {
  if (bits(y.dtype()) < 32) return y;
  return mul(with_inputs(y, {mul(input_of(y, 0), 0.5)}, y.type()), 2);
}

/// MaxPool of x >= 0: max(MaxPool(x), -AveragePool(x)). Of any x: NaN where MaxPool(IsNaN(x)) is not 0. Dilated windows
/// can have no element, which is -inf.
inline value exact_max_pool(const value& y) {
  const value x = input_of(y, 0);
  const bool dilated = attribute_of<ints>(y, "dilations").has_value();
  const lower_bound bound = dilated ? lower_bound::none : lower_bound_of(x);
  if (bound == lower_bound::zero && y.dtype() != dtype::f64)
    return maximum(y, neg(y.owner().emit("AveragePool", {x}, y.type(), producer(y)->attributes)));
  const value has_nan = with_inputs(y, {cast(is_nan(x), dtype::f32)}, {dtype::f32, y.dims()});
  const value largest = bound == lower_bound::none ? exact_at_minus_infinity(y) : y;
  return where(greater(has_nan, 0), scalar(y.owner(), y.dtype(), std::numeric_limits<double>::quiet_NaN()), largest);
}

/// ReduceLogSumExp ignores NaN beside inf where it reduces all axes, so x gets one that it keeps.
inline value exact_log_sum_exp(const value& y) {
  const auto r = reduction_of(y);
  const value x = input_of(y, 0);
  if (!r || std::ssize(r->axes) != x.rank()) return {};
  ints axes = r->axes;
  for (std::int64_t& a : axes) ++a;
  return reshape(reduce("ReduceLogSumExp", unsqueeze(x, {0}), axes), y.dims());
}

struct correction {
  std::string_view op;
  value (*correct)(const value& y);  ///< the corrected result; absent where y is right
};
inline constexpr correction corrections[] = {
    {"MaxPool", exact_max_pool},    {"ReduceLogSumExp", exact_log_sum_exp}, {"ReduceMax", exact_reduction},
    {"ReduceMin", exact_reduction}, {"ScatterElements", exact_scatter},     {"ScatterND", exact_scatter},
};

/// A pass, not rules: it must run after all fusions, since what it adds would match them, and each node once.
class nan_propagation {
 public:
  explicit nan_propagation(graph& g) : graph_(g) {}

  void run() {
    for (std::size_t b = 0; b < graph_.block_count(); ++b) {
      const std::vector<node_id> nodes = std::exchange(graph_.at(static_cast<block_id>(b)).nodes, {});
      const insertion_scope here(graph_, static_cast<block_id>(b));
      for (node_id n : nodes) {
        graph_.append(n);
        visit(n);
      }
    }
  }

 private:
  void visit(node_id id) {
    if (!graph_.at(id).domain.empty()) return;
    for (const correction& c : corrections)
      if (graph_.at(id).op == c.op && is_floating(graph_.at(graph_.at(id).inputs[0]).type.type)) correct(id, c);
  }

  /// The readers of the node's result read the corrected one: its node takes over the value.
  void correct(node_id id, const correction& c) {
    const value_id result = graph_.at(id).outputs[0];
    const value_id raw = graph_.add_value(graph_.at(result).type, graph_.current());
    set_result(id, raw);
    const std::size_t before = graph_.node_count();
    const value corrected = c.correct({graph_, raw});
    for (std::size_t i = before; i < graph_.node_count(); ++i)
      graph_.at(static_cast<node_id>(i)).origin = graph_.at(id).origin;
    set_result(corrected ? graph_.at(corrected.id()).producer : id, result);
  }
  void set_result(node_id n, value_id v) {
    graph_.at(n).outputs[0] = v;
    graph_.at(v).producer = n;
  }

  graph& graph_;
};

/// Makes the operators above return NaN where an element is NaN, and MaxPool -inf for a window of -inf.
inline void propagate_nan(graph& g) { nan_propagation(g).run(); }

}  // namespace jax2onnx::rewrite::detail
