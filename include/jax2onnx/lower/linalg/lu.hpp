// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/elimination.hpp>
#include <jax2onnx/lower/linalg/triangular_solve.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// lu and lu_pivots_to_permutation: LU factors with row exchanges, as a Loop over the columns, or without a Loop for
/// matrices with a few rows. Sources: jax/_src/lax/linalg.py; LAPACK's getrf.
namespace jax2onnx::lower::linalg {

/// The rows of `a` at the indices `order` [..., m, 1].
inline jax_value rows_in_order(const jax_value& a, const value& order) {
  return each_part(a, [&](const value& v) {
    shape dims = v.dims();
    dims.back() = 1;
    return gather_nd(v, broadcast_to(order, dims), v.rank() - 2);
  });
}

/// The row indices after rows k and p were exchanged, in a column for each exchange; `p` is [..., 1, exchanges].
inline value exchanged_rows(const value& rows, const value& k, const value& p) {
  return where(equal(rows, k), p, where(equal(rows, p), k, rows));
}

inline lu_factors getrf(const jax_value& a) {
  graph& g = owner(a);
  const dim m = row_count(a), n = column_count(a), steps = shorter_side(a);
  if (m.is_constant() && m.extent() <= most_rows_at_once && n.is_constant() && !is_empty(a))
    return elimination(a).factors();
  const value rows = row_numbers(g, m), columns = column_numbers(g, n), slots = counted(g, steps);
  shape pivot_dims = a.re().dims();
  pivot_dims.pop_back();
  pivot_dims.back() = steps;
  const jax_value order = broadcast_to(rows, matrix_dims(a, m, 1));
  const value pivots = filled(g, dtype::i64, pivot_dims, 0);
  if (is_empty(a)) return {a, order, pivots};
  const auto step = [&](const value& k, const matrices& carried) {
    const value below = greater(rows, k), right = greater(columns, k);
    const value size = where(less(rows, k), scalar(g, cx::part_dtype(a), -1), pivot_size(column(carried[0], k)));
    const value p = largest_row(size);
    const value exchanged = exchanged_rows(rows, k, p);
    const jax_value b = rows_in_order(carried[0], exchanged), pivot_row = row(b, k);
    const jax_value c = column(b, k), d = column(pivot_row, k);
    const value singular = equal(pivot_size(d), 0);
    const jax_value factor =
        keep(below, cx::where(singular, c, cx::div(c, cx::where(singular, jax_value(one_of(d)), d))));
    const jax_value updated = cx::sub(b, cx::mul(factor, keep(right, pivot_row)));
    const value chosen = where(equal(slots, k), squeeze(p, {p.rank() - 1}), carried[2].re());
    return matrices{cx::where(logical_and(below, equal(columns, k)), factor, updated),
                    rows_in_order(carried[1], exchanged), chosen};
  };
  const matrices last = repeat(g, steps, {a, order, pivots}, step);
  return {last[0], last[1], last[2].re()};
}

inline jax_values lu(const site& s) {
  const lu_factors f = getrf(s.in_parts(0));
  return {f.a, cast(f.pivots, dtype::i32), cast(as_vectors(f.order).re(), dtype::i32)};
}

/// The solution x [..., n, k] of a x = b, by elimination in [a b].
inline jax_value solve_by_elimination(const jax_value& a, const jax_value& b) {
  const dim n = row_count(a);
  const jax_value eliminated = getrf(side_by_side(a, b)).a;
  return substitute(column_range(eliminated, 0, n), column_range(eliminated, n, column_count(eliminated)), false,
                    false);
}

/// `a` after exchanging row 0 with row pivots[0], row 1 with row pivots[1], and so on, or (backward) in reverse order;
/// pivots are [..., k, 1].
inline jax_value with_exchanged_rows(const jax_value& a, const jax_value& pivots, dim exchanges,
                                     bool backward = false) {
  graph& g = owner(a);
  const value rows = row_numbers(g, row_count(a)), steps = column_numbers(g, exchanges);
  // Column k is the order of the rows after exchange k.
  const value orders = exchanged_rows(rows, steps, transposed(pivots).re());
  const auto step = [&](const value& k, const matrices& carried) {
    return matrices{rows_in_order(carried[0], column(orders, k).re())};
  };
  return repeat(g, exchanges, {a}, step, backward)[0];
}

/// The permutation that results from the row exchanges `pivots` of lu.
inline jax_values lu_pivots_to_permutation(const site& s) {
  shape dims = s.out_dims();
  dims.push_back(1);
  const value rows = row_numbers(s.g, s.out_dims().back());
  const value pivots = unsqueeze(cast(s.in(0), dtype::i64), {s.in(0).rank()});
  jax_value order = broadcast_to(rows, dims);
  if (!is_empty(pivots)) {
    const value last = sub(as_scalar(s.g, s.out_dims().back()), 1);
    order = with_exchanged_rows(order, clip(pivots, scalar(s.g, dtype::i64, 0), last), row_count(pivots));
  }
  return {cast(as_vectors(order).re(), s.out_dtype())};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering lu_rows[] = {
    {"lu", linalg::lu, "ArgMax, GatherElements, Where; more than 8 rows: Loop", linalg::lu_signature, parts_rule::own},
    {"lu_pivots_to_permutation", linalg::lu_pivots_to_permutation, "Loop, Where",
     linalg::lu_pivots_to_permutation_signature, ignores{"permutation_size"}},
};

}  // namespace jax2onnx::lower
