// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <jax2onnx/lower/linalg/matrix.hpp>

/// LU factors of matrices with a few rows, without a Loop. Source: LAPACK's getrf.
namespace jax2onnx::lower::linalg {

struct lu_factors {
  jax_value a;      ///< L below the diagonal, U on and above it
  jax_value order;  ///< index of every row in the given matrix, [..., m, 1]
  value pivots;     ///< for each of the first min(m, n) rows, the row that it was exchanged with
};

/// The maximum number of rows that are eliminated without a Loop.
inline constexpr std::int64_t most_rows_at_once = 8;

/// The elimination in [m, n, ...]. Each step moves the pivot row from the remaining rows to the finished rows; the
/// first remaining row takes the place of the pivot row. Rows hold elements of L in the columns of earlier steps.
class elimination {
 public:
  explicit elimination(const jax_value& a)
      : rows_(row_count(a).extent()), columns_(column_count(a).extent()), part_count_(a.count), left_(rows_first(a)) {
    graph& g = owner(a);
    shape one_column(left_.re().dims().size(), dim(1));
    one_column[0] = rows_;
    numbers_ = reshape(int64s(g, iota_axes(rows_)), one_column);
    shape places = left_.re().dims();
    places[1] = 1;
    order_left_ = broadcast_to(numbers_, places);
  }

  lu_factors factors() {
    const std::int64_t steps = std::min(rows_, columns_);
    for (std::int64_t k = 0; k < steps; ++k) step(k);
    if (rows_ > steps) take(left_, order_left_);
    const jax_value a = from_parts(part_count_, [&](std::size_t p) { return concat(done_[p], 0); });
    const jax_value order = concat(order_, 0), pivots = concat(pivots_, 0);
    return {rows_last(a), rows_last(order), as_vectors(rows_last(pivots)).re()};
  }

 private:
  static value rows_from(const value& v, std::int64_t begin) { return slice(v, 0, begin, v.extent(0)); }
  static jax_value rows_from(const jax_value& x, std::int64_t begin) {
    return each_part(x, [&](const value& v) { return rows_from(v, begin); });
  }
  static jax_value first_row(const jax_value& x) {
    return each_part(x, [](const value& v) { return slice(v, 0, 0, 1); });
  }
  static jax_value columns_of(const jax_value& x, std::int64_t begin, std::int64_t end) {
    return each_part(x, [&](const value& v) { return slice(v, 1, begin, end); });
  }
  static value scalar_like(const value& v, double number) { return scalar(v.owner(), v.dtype(), number); }

  void take(const jax_value& rows, const value& order) {
    for (std::size_t p = 0; p < rows.count; ++p) done_[p].push_back(rows.parts[p]);
    order_.push_back(order);
  }

  void step(std::int64_t k) {
    const std::int64_t count = rows_ - k;
    const jax_value first = first_row(left_);
    const value first_order = slice(order_left_, 0, 0, 1);
    if (count == 1) {
      pivots_.push_back(broadcast_to(rows_from(numbers_, k), first_order.dims()));
      return take(first, first_order);
    }
    const value sizes = pivot_size(columns_of(left_, k, k + 1));
    const shape& one_row = first_order.dims();
    const value p = sizes.owner().emit("ArgMax", {sizes}, {dtype::i64, one_row}, {{"axis", std::int64_t{0}}});
    pivots_.push_back(add(p, k));
    const jax_value row = each_part(left_, [&](const value& v) {
      shape dims = v.dims();
      dims[0] = 1;
      return gather_elements(v, broadcast_to(p, dims), 0);
    });
    take(row, gather_elements(order_left_, p, 0));
    // The slice of numbers_ has, for each row of `rest`, its index among the remaining rows.
    const value exchanged = equal(slice(numbers_, 0, 1, count), p);
    const jax_value rest = rows_from(left_, 1);
    const value rest_order = rows_from(order_left_, 1);
    left_ = eliminated(cx::where(exchanged, first, rest), row, k);
    order_left_ = where(exchanged, first_order, rest_order);
  }

  /// Eliminates column k from the rows below pivot row k. The column of factors becomes column k of L.
  jax_value eliminated(const jax_value& rows, const jax_value& pivot_row, std::int64_t k) const {
    const jax_value c = columns_of(rows, k, k + 1), d = columns_of(pivot_row, k, k + 1);
    // If the pivot is zero, all elements of the column are zero or NaN.
    const value singular = equal(pivot_size(d), 0);
    const jax_value factor = cx::div(c, cx::where(singular, jax_value(scalar_like(d.re(), 1)), d));
    std::vector<jax_value> next;
    if (k > 0) next.push_back(columns_of(rows, 0, k));
    next.push_back(factor);
    if (k + 1 < columns_) {
      const jax_value right = columns_of(rows, k + 1, columns_), taken = columns_of(pivot_row, k + 1, columns_);
      next.push_back(cx::sub(right, cx::mul(factor, taken)));
    }
    return from_parts(part_count_, [&](std::size_t p) {
      std::vector<value> parts;
      for (const jax_value& x : next) parts.push_back(x.part(p));
      return concat(parts, 1);
    });
  }

  std::int64_t rows_, columns_;
  std::size_t part_count_;
  jax_value left_;  ///< the remaining rows, with their elements of L
  value numbers_, order_left_;
  std::array<std::vector<value>, max_parts> done_;
  std::vector<value> order_, pivots_;
};

}  // namespace jax2onnx::lower::linalg
