// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/use_counts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/corrections.hpp>

/// Reductions for ONNX Runtime. Its kernels for sums, means, maxima and minima are only fast along adjacent axes of
/// many elements; its kernels for squares and absolute values are never fast
/// (docs/decisions/0105-axes-of-few-elements.md).
namespace jax2onnx::rewrite::detail {

/// The sum of the c rows of x, [c, n], as [1, n].
inline value sum_of_rows(const value& x) {
  const std::int64_t rows = x.extent(0).extent();
  const std::vector<float> ones(static_cast<std::size_t>(rows), 1.0f);
  return matmul(array(x.owner(), dtype::f32, {1, rows}, ones), x);
}
/// The sums of the elements of each row of x, [n, c], as [1, n].
inline value sums_along_rows(const value& x) {
  const std::int64_t terms = x.extent(1).extent();
  const std::vector<float> ones(static_cast<std::size_t>(terms), 1.0f);
  const value row = array(x.owner(), dtype::f32, {1, terms}, ones);
  return x.owner().emit("Gemm", {row, x}, {dtype::f32, {1, x.extent(0)}}, {{"transB", std::int64_t{1}}});
}

/// A reduction of constant extents, and faster forms of it.
class large_reduction {
 public:
  /// Returns nullopt for a reduction of few elements, over all axes, of symbolic extents, or of other types than
  /// float32 and float64.
  static std::optional<large_reduction> of(const value& y) {
    constexpr std::int64_t fewest = 4096;
    const auto r = reduction_of(y);
    const value x = input_of(y, 0);
    if (!r || !is_static(x.dims()) || (x.dtype() != dtype::f32 && x.dtype() != dtype::f64)) return std::nullopt;
    const large_reduction all(*r, x.dims());
    return all.kept_ == 1 || all.kept_ * all.reduced_ < fewest ? std::nullopt : std::optional(all);
  }

  /// Returns whether ONNX Runtime reads the elements one by one, since other axes separate the reduced axes.
  bool is_scattered() const { return last_group_ < r_.axes.size() && last_group_ > 0; }

  /// op(x) along one group of adjacent axes after the other; `again` combines the results of a group.
  value by_groups(operator_name op, operator_name again, const value& x) const {
    const auto first = r_.axes.begin() + static_cast<std::ptrdiff_t>(last_group_);
    const value inner = reduce(op, x, ints(first, r_.axes.end()), r_.keep);
    const large_reduction rest({ints(r_.axes.begin(), first), r_.keep}, inner.dims());
    return rest.is_scattered() ? rest.by_groups(again, again, inner) : reduce(again, inner, rest.r_.axes, r_.keep);
  }
  /// The sum of float32 as a product with ones; absent if that is not faster. `result` is the shape of the sum.
  value by_product(const value& x, const shape& result) const {
    constexpr std::int64_t widest_row = 32, fewest_rows = 4096, most_rows = 16, shortest_row = 1024;
    if (x.dtype() != dtype::f32 || is_scattered() || reduced_ < 2) return {};
    if (is_last_ && reduced_ <= widest_row && kept_ >= fewest_rows)
      return reshape(sums_along_rows(reshape(x, {kept_, reduced_})), result);
    if (is_first_ && reduced_ <= most_rows && kept_ >= shortest_row)
      return reshape(sum_of_rows(reshape(x, {reduced_, kept_})), result);
    return {};
  }
  value sum(const value& x, const shape& result) const {
    if (is_scattered()) return by_groups("ReduceSum", "ReduceSum", x);
    const value product = by_product(x, result);
    return product ? product : reduce("ReduceSum", x, r_.axes, r_.keep);
  }

 private:
  large_reduction(reduction r, const shape& dims) : r_(std::move(r)) {
    bool was_reduced = false, found_kept = false;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const bool reduces = has_axis(r_.axes, static_cast<std::int64_t>(i));
      const std::int64_t extent = dims[i].extent();
      (reduces ? reduced_ : kept_) *= extent;
      if (extent == 1) continue;
      if (reduces && !was_reduced) last_group_ = *axis_position(r_.axes, static_cast<std::int64_t>(i)), ++groups_;
      if (reduces && groups_ == 1 && found_kept) is_first_ = false;
      found_kept = found_kept || !reduces;
      was_reduced = reduces;
    }
    is_last_ = was_reduced && groups_ == 1;
    is_first_ = is_first_ && groups_ == 1;
    if (groups_ < 2) last_group_ = 0;
  }

  reduction r_;
  std::size_t last_group_ = 0;  ///< the index in r_.axes at which the last group of adjacent axes begins
  int groups_ = 0;
  bool is_first_ = true, is_last_ = false;
  std::int64_t reduced_ = 1, kept_ = 1;
};

/// ReduceSum(x), as sums along adjacent axes or as a product with ones.
inline value faster_sum(const value& y) {
  const auto r = large_reduction::of(y);
  if (!r) return {};
  return r->is_scattered() ? r->sum(input_of(y, 0), y.dims()) : r->by_product(input_of(y, 0), y.dims());
}
/// ReduceMean(x), ReduceMax(x), ReduceMin(x) or ReduceProd(x) along one group of adjacent axes after the other.
inline value by_groups(const value& y) {
  const operator_name op = producer(y)->op;
  const auto r = large_reduction::of(y);
  return r && r->is_scattered() ? r->by_groups(op, op, input_of(y, 0)) : value();
}
/// The operand that a selection takes for each index of the last axis: 1 for the first operand, 0 for the second one.
/// Empty unless the condition is constant and the same for all rows.
inline std::vector<std::uint8_t> chosen_columns(const value& selection) {
  const std::optional<ints> numbers = producer(selection, "Where") && is_static(selection.dims())
                                          ? constant_integers(input_of(selection, 0))
                                          : std::nullopt;
  if (!numbers || input_of(selection, 0).rank() == 0) return {};
  const std::int64_t columns = input_of(selection, 0).dims().back().extent();
  if (!selection.dims().back().is(columns)) return {};
  for (std::size_t i = static_cast<std::size_t>(columns); i < numbers->size(); ++i)
    if ((*numbers)[i] != (*numbers)[i - static_cast<std::size_t>(columns)]) return {};
  return {numbers->begin(), numbers->begin() + columns};
}
/// ReduceProd(Where(c, x, y)) of few elements in each row, for a constant row c: the product of columns.
/// widen_narrow_rows() then takes each column of x and y once, however many products read it.
inline value product_of_columns(const value& y) {
  constexpr std::int64_t fewest_rows = 128;
  constexpr std::size_t most_columns = 4;
  const auto r = reduction_of(y);
  const value x = input_of(y, 0);
  if (!r || r->axes.size() != 1 || r->axes[0] != x.rank() - 1) return {};
  const std::vector<std::uint8_t> chosen = chosen_columns(x);
  if (chosen.size() < 2 || chosen.size() > most_columns) return {};
  if (element_count(y.type()) < static_cast<std::uint64_t>(fewest_rows)) return {};
  value product;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const value from = input_of(x, chosen[k] ? 1 : 2);
    if (from.dims() != x.dims()) return {};
    const value column = gather(from, int64s(y.owner(), {static_cast<std::int64_t>(k)}), x.rank() - 1);
    product = product ? mul(product, column) : column;
  }
  return reshape(product, y.dims());
}
/// ReduceProd by columns, or along one group of adjacent axes after the other.
inline value faster_product(const value& y) {
  const value product = product_of_columns(y);
  return product ? product : by_groups(y);
}
/// The sums of f(x) along the axes of y, a reduction of x; absent if large_reduction::of(y) is nullopt.
template <class Function>
value large_sum(const value& y, const Function& f) {
  const auto r = large_reduction::of(y);
  return r ? r->sum(f(input_of(y, 0)), y.dims()) : value();
}
inline value large_sum_of_squares(const value& y) {
  return large_sum(y, [](const value& x) { return mul(x, x); });
}
/// ReduceL2(x) -> Sqrt(ReduceSum(x x))
inline value large_length(const value& y) {
  const value squares = large_sum_of_squares(y);
  return squares ? sqrt(squares) : value();
}
/// ReduceL1(x) -> ReduceSum(|x|)
inline value large_sum_of_magnitudes(const value& y) {
  return large_sum(y, [](const value& x) { return abs(x); });
}

inline constexpr correction faster_reductions[] = {
    {"ReduceSum", faster_sum},      {"ReduceMean", by_groups},
    {"ReduceMax", by_groups},       {"ReduceMin", by_groups},
    {"ReduceProd", faster_product}, {"ReduceSumSquare", large_sum_of_squares},
    {"ReduceL2", large_length},     {"ReduceL1", large_sum_of_magnitudes},
};

/// Gives reductions their faster forms. Linear in the graph.
inline void speed_reductions(graph& g) {
  for (std::size_t i = 0; i < g.node_count(); ++i)
    if (has_trait(g.at(static_cast<node_id>(i)), trait::reduction)) return apply_corrections(g, faster_reductions);
}

}  // namespace jax2onnx::rewrite::detail
