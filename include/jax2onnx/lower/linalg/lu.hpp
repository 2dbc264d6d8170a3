#pragma once

#include <jax2onnx/lower/linalg/triangular_solve.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// lu and lu_pivots_to_permutation: LU factors with row exchanges, as a Loop over the columns.
/// Sources: jax/_src/lax/linalg.py; LAPACK's getrf.
namespace jax2onnx::lower::linalg {

/// Row k and row p of `a` exchanged; `p` is [..., 1, 1], a row for every matrix. `exchanged` is the new row k.
struct row_exchange {
  jax_value a, exchanged;
  row_exchange(const jax_value& before, const value& rows, const value& k, const value& p) {
    const value at_p = equal(rows, p);
    exchanged = sum(keep(at_p, before), -2);
    a = cx::where(equal(rows, k), exchanged, cx::where(at_p, row(before, k), before));
  }
};

struct lu_factors {
  jax_value a;      ///< L below the diagonal, U on and above it
  jax_value order;  ///< for every row its number in the given matrix, [..., m, 1]
  value pivots;     ///< for every row the one it was exchanged with, [..., min(m, n)]
};

inline lu_factors getrf(const jax_value& a) {
  graph& g = owner(a);
  const dim m = row_count(a), n = column_count(a), steps = shorter_side(a);
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
    const row_exchange e(carried[0], rows, k, p);
    const jax_value c = column(e.a, k), d = column(e.exchanged, k);
    const value singular = equal(pivot_size(d), 0);
    const jax_value factor =
        keep(below, cx::where(singular, c, cx::div(c, cx::where(singular, jax_value(one_of(d)), d))));
    const jax_value updated = cx::sub(e.a, cx::mul(factor, keep(right, e.exchanged)));
    const value chosen = where(equal(slots, k), squeeze(p, {p.rank() - 1}), carried[2].re());
    return matrices{cx::where(logical_and(below, equal(columns, k)), factor, updated),
                    row_exchange(carried[1], rows, k, p).a, chosen};
  };
  const matrices last = repeat(g, steps, {a, order, pivots}, step);
  return {last[0], last[1], last[2].re()};
}

inline jax_values lu(const site& s) {
  const lu_factors f = getrf(s.in_parts(0));
  return {f.a, cast(f.pivots, dtype::i32), cast(as_vectors(f.order).re(), dtype::i32)};
}

/// The solution x [..., n, k] of a x = b, by an elimination of [a b].
inline jax_value solve_by_elimination(const jax_value& a, const jax_value& b) {
  const dim n = row_count(a);
  const jax_value eliminated = getrf(side_by_side(a, b)).a;
  return substitute(column_range(eliminated, 0, n), column_range(eliminated, n, column_count(eliminated)), false,
                    false);
}

/// `a` after the exchanges of row 0 with row pivots[0], of row 1 with row pivots[1], and so on, or (backward) in
/// reverse order; pivots are [..., k, 1].
inline jax_value with_exchanged_rows(const jax_value& a, const jax_value& pivots, dim exchanges,
                                     bool backward = false) {
  graph& g = owner(a);
  const value rows = row_numbers(g, row_count(a));
  const auto step = [&](const value& k, const matrices& carried) {
    return matrices{row_exchange(carried[0], rows, k, row(pivots, k).re()).a};
  };
  return repeat(g, exchanges, {a}, step, backward)[0];
}

/// The permutation that the row exchanges `pivots` of lu amount to.
inline jax_values lu_pivots_to_permutation(const site& s) {
  shape dims = s.out_dims();
  dims.push_back(1);
  const value rows = row_numbers(s.g, s.out_dims().back());
  const value pivots = unsqueeze(cast(s.in(0), dtype::i64), {s.in(0).rank()});
  jax_value order = broadcast_to(rows, dims);
  if (!is_empty(pivots)) order = with_exchanged_rows(order, pivots, row_count(pivots));
  return {cast(as_vectors(order).re(), s.out_dtype())};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering lu_rows[] = {
    {"lu", linalg::lu, "Loop, ArgMax, Where", linalg::lu_signature, parts_rule::own},
    {"lu_pivots_to_permutation", linalg::lu_pivots_to_permutation, "Loop, Where",
     linalg::lu_pivots_to_permutation_signature, ignores{"permutation_size"}},
};

}  // namespace jax2onnx::lower
