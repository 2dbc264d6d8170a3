// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/facts/bounds.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/corrections.hpp>

/// Corrections of operators whose kernels in ONNX Runtime ignore NaN: ReduceMax, ReduceMin, scatters to a maximum or
/// minimum, and MaxPool (docs/decisions/0025). Integers have no NaN.
namespace jax2onnx::rewrite::detail {

/// -1 - x
inline value below_minus(const value& x) { return sub(scalar(x.owner(), x.dtype(), -1), x); }

/// min(y, magnitudes) for a maximum y, max(y, -1 - magnitudes) for a minimum. `magnitudes` is the sum of the magnitudes
/// of the elements: NaN if one is NaN, and otherwise no less than any element. The -1 keeps the sign of y = 0: ONNX
/// Runtime's Max of 0 and -0 may be either.
inline value bounded_extreme(const value& y, const value& magnitudes, bool largest) {
  return largest ? minimum(y, magnitudes) : maximum(y, below_minus(magnitudes));
}

inline value exact_reduction(const value& y) {
  if (!is_floating(y.dtype())) return {};
  const node& n = *producer(y);
  const value magnitudes = y.owner().emit("ReduceL1", inputs_of(y), y.type(), n.attributes);
  return bounded_extreme(y, magnitudes, producer(y, "ReduceMax") != nullptr);
}

/// Corrects a scatter to a maximum or minimum by a scatter with the same indices and the reduction add, which adds the
/// magnitudes.
inline value exact_scatter(const value& y) {
  const std::string reduction = text_of(y, "reduction");
  if (!is_floating(y.dtype())) return {};
  if (reduction != "max" && reduction != "min") return {};
  std::vector<attribute> attributes = producer(y)->attributes;
  for (attribute& a : attributes)
    if (a.name == "reduction") a.value = std::string("add");
  const value magnitudes =
      y.owner().emit(producer(y)->op, {abs(input_of(y, 0)), input_of(y, 1), abs(input_of(y, 2))}, y.type(), attributes);
  return bounded_extreme(y, magnitudes, reduction == "max");
}

/// 2 MaxPool(x / 2), since MaxPool(x) can give the lowest finite number for -inf. y itself for types of less than 32
/// bits: ONNX Runtime computes them in float, whose lowest number becomes -inf in the narrow type.
inline value exact_at_minus_infinity(const value& y) {
  if (bits(y.dtype()) < 32) return y;
  return mul(with_inputs(y, {mul(input_of(y, 0), 0.5)}, y.type()), 2);
}

/// A positive factor so small that the sum of a window times it vanishes in the rounding of the window's maximum. For
/// float16, whose conversions keep subnormal numbers, it is the smallest positive number; else the smallest normal
/// number.
inline double vanishing_factor(dtype t) { return t == dtype::f16 ? 0x1p-24 : 0x1p-126; }

/// The sum of each window of y = MaxPool(x) times the vanishing factor, by a convolution of every channel; absent for
/// other ranks than 4, for ceil_mode, and if the convolution would need large weights.
inline value vanishing_sums(const value& y) {
  constexpr std::int64_t most_weights = 65536, largest_window = 1024;  // 1024 2^-24 is below half an ulp of float16
  const value x = input_of(y, 0);
  const std::optional<ints> window = attribute_of<ints>(y, "kernel_shape");
  if (!window || x.rank() != 4 || !x.extent(1).is_constant()) return {};
  if (flag_of(y, "ceil_mode")) return {};
  const std::int64_t channels = x.extent(1).extent(), elements = window->front() * window->back();
  if (elements > largest_window || channels * elements > most_weights) return {};
  const std::vector<double> factors(static_cast<std::size_t>(channels * elements), vanishing_factor(y.dtype()));
  const value kernels = array(y.owner(), y.dtype(), {channels, 1, window->front(), window->back()}, std::span(factors));
  std::vector<attribute> attributes = producer(y)->attributes;
  std::erase_if(attributes, [](const attribute& a) { return a.name == "ceil_mode" || a.name == "storage_order"; });
  attributes.push_back({"group", channels});
  return y.owner().emit("Conv", {x, kernels}, y.type(), std::move(attributes));
}

/// MaxPool of x >= 0, with NaN: y + vanishing_sums(y), or max(y, -1 - means) if these are absent. The sums are infinite
/// only where y is infinite, and stay in the layout that ONNX Runtime's convolutions have.
inline value nonnegative_max_pool(const value& y) {
  if (const value sums = vanishing_sums(y)) return add(y, sums);
  return maximum(y, below_minus(y.owner().emit("AveragePool", {input_of(y, 0)}, y.type(), producer(y)->attributes)));
}

/// MaxPool with NaN. For x >= 0 of other types than float64, the result is nonnegative_max_pool(y). Otherwise, the
/// result is NaN where MaxPool(IsNaN(x)) is not 0. A dilated window may have no element; its maximum is then -inf.
inline value exact_max_pool(const value& y) {
  if (!is_floating(y.dtype())) return {};
  const value x = input_of(y, 0);
  const bool dilated = is_dilated(y);
  const lower_bound bound = dilated ? lower_bound::none : lower_bound_of(x);
  if (bound == lower_bound::zero && y.dtype() != dtype::f64) return nonnegative_max_pool(y);
  const value has_nan = with_inputs(y, {cast(is_nan(x), dtype::f32)}, {dtype::f32, y.dims()});
  const value largest = bound == lower_bound::none ? exact_at_minus_infinity(y) : y;
  return where(greater(has_nan, 0), scalar(y.owner(), y.dtype(), std::numeric_limits<double>::quiet_NaN()), largest);
}

inline constexpr correction nan_corrections[] = {
    {"MaxPool", exact_max_pool},        {"ReduceMax", exact_reduction}, {"ReduceMin", exact_reduction},
    {"ScatterElements", exact_scatter}, {"ScatterND", exact_scatter},
};

/// The maximum m of a root Log(ReduceSum(Exp(x - o))) + o, o = Clip(m). Whatever m is, the sum is NaN if an element of
/// x is NaN. Absent for any other value, or if m or o is read elsewhere too.
inline value maximum_below_sum(const value& root, const use_counts& uses) {
  value x, offset, maximum;
  reduction sum, largest;
  const auto total = [&](const value& v) {
    return match(v, m_reduce("ReduceSum", sum, m_op("Exp", m_op("Sub", m_value(x), m_value(offset)))));
  };
  if (!match(root, m_commutes("Add", m_op("Log", total), m_same(offset)))) return {};
  const auto reduced = [&](const value& v) { return match(v, m_reduce("ReduceMax", largest, m_same(x))); };
  if (!match(offset, m_op("Clip", m_bind(maximum, reduced), m_any{}, m_any{})) || largest.axes != sum.axes) return {};
  return uses.of(maximum) == 1 && uses.of(offset) == 2 ? maximum : value();
}

/// The maximum m of a root Where(m < c, NaN, MatMul(Softmax(x), y)): a row of x with NaN gives NaN whatever m is.
/// Absent for any other value, or if m is read elsewhere too.
inline value maximum_beside_softmax(const value& root, const use_counts& uses) {
  if (!std::isnan(splat_number(input_of(root, 1)).value_or(0))) return {};
  const value below = without_views(input_of(root, 0)), product = without_views(input_of(root, 2));
  const value maximum = producer(below, "Less") ? input_of(below, 0) : value();
  const value weights = producer(product, "MatMul") ? input_of(product, 0) : value();
  if (!producer(maximum, "ReduceMax") || !producer(weights, "Softmax")) return {};
  const std::int64_t last = input_of(maximum, 0).rank() - 1;
  const auto r = reduction_of(maximum);
  const bool is_of_rows = r && r->axes == ints{last} && axis_of(weights) == last;
  return is_of_rows && same_value(input_of(maximum, 0), input_of(weights, 0)) && uses.of(maximum) == 1 ? maximum
                                                                                                       : value();
}

/// Makes the operators above return NaN if an element is NaN, and MaxPool -inf for a window of -inf. It must run after
/// all fusions, since their patterns also match the nodes that this pass adds.
inline void propagate_nan(graph& g) {
  use_counts uses;
  uses.count(g);
  std::vector<bool> exact(g.value_count());
  for (std::size_t b = 0; b < g.block_count(); ++b) {
    for (const node_id n : g.at(static_cast<block_id>(b)).nodes) {
      const node& made = g.at(n);
      const bool adds = made.op == "Add";
      if (!made.domain.empty() || (!adds && made.op != "Where")) continue;
      const value root(g, made.outputs[0]);
      const value maximum = adds ? maximum_below_sum(root, uses) : maximum_beside_softmax(root, uses);
      if (maximum) exact[static_cast<std::size_t>(maximum.id())] = true;
    }
  }
  apply_corrections(g, nan_corrections, exact);
}

}  // namespace jax2onnx::rewrite::detail
