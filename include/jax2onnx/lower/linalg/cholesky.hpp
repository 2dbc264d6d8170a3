// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// cholesky and cholesky_update, in steps over the columns or rows of the factor, which are unrolled or run in a Loop.
/// Sources: jax/_src/lax/linalg.py; LAPACK's potrf.
namespace jax2onnx::lower::linalg {

/// The columns of the Cholesky factor of one matrix as rows q, each multiplied by its element d on the diagonal. Each
/// step takes the next row q of the remaining matrix and subtracts q^T q / d^2 from the matrix: immediately from rows
/// of the same block, and from all other rows once for the whole block.
inline value pivot_rows(const value& a) {
  constexpr std::int64_t most_at_once = 45;
  graph& g = a.owner();
  const std::int64_t n = a.extent(0).extent();
  const auto step = [&](const value& columns, const matrices& carried) {
    const std::int64_t count = columns.extent(0).extent();
    const bool is_all = count == n;
    const value& rest = carried[0].re();
    value block = is_all ? rest : gather(rest, columns, 0);
    std::vector<value> rows, quotients;
    for (std::int64_t j = 0; j < count; ++j) {
      const value at = int64s(g, {j});
      const value q = gather(block, at, 0), pivot = gather(q, is_all ? at : gather(columns, at, 0), 1);
      rows.push_back(q);
      quotients.push_back(div(q, pivot));
      if (j + 1 < count) block = minus_product(block, is_all ? q : gather(q, columns, 1), quotients.back());
    }
    const value q = concat(rows, 0);
    return collecting_turn{{is_all ? block : minus_product(rest, q, concat(quotients, 0))}, {q}};
  };
  return repeat_in_blocks(g, n, n <= most_at_once ? n : rows_at_once, {a}, step).collected[0].re();
}
/// pivot_rows() for matrices in a batch: [n, n, ...].
inline value pivot_rows_of_batch(const value& a) {
  const auto step = [&](const value& k, const matrices& carried) {
    const value q = gather(carried[0].re(), reshape(k, {}), 0), quotient = div(q, gather(q, k, 0));
    return collecting_turn{{sub(carried[0].re(), mul(unsqueeze(q, {1}), quotient))}, {q}};
  };
  const value all = repeat_each(a.owner(), a.extent(0).extent(), rows_at_once, {a}, step).collected[0].re();
  return reshape(all, a.dims());
}

/// The columns of the factors of real matrices [n, n, ...], and for each matrix a number [...] that is NaN if the
/// matrix is not positive definite, else 0. The numbers are absent if the columns of such a matrix are NaN already.
struct real_factors {
  value columns, poison;
};
/// Computes the form L D L^T, whose steps need no square roots, and scales the columns at the end.
inline real_factors factors_by_pivots(const value& a) {
  if (a.extent(0).is(1)) return {div(a, sqrt(a)), {}};
  const value q = a.rank() == 2 ? pivot_rows(a) : pivot_rows_of_batch(a), pivots = diagonal_of(q);
  // The logarithm of a pivot that is not positive is not finite.
  const value sum_of_logarithms = reduce("ReduceSum", log(minimum(pivots, 1)), {0}, false);
  return {div(q, sqrt(unsqueeze(pivots, {1}))), mul(sum_of_logarithms, 0)};
}

/// The lower Cholesky factor of the matrix whose lower triangle is given. Each iteration computes a column of the
/// factor and subtracts the outer product of this column with itself: l = A[:, j] / sqrt(A[j, j]), A := A - l l^H. The
/// factor never depends on elements above the diagonal and, after iteration j, not on elements of A in rows and columns
/// up to j. The result has the strict upper triangle of the given matrix. If the matrix is not positive definite, all
/// elements are NaN.
inline jax_value potrf(const jax_value& given) {
  if (is_empty(given)) return given;
  graph& g = owner(given);
  const jax_value a = widened(given);
  const dim n = row_count(a);
  const auto step = [&](const value& j, const matrices& carried) {
    const jax_value c = item_at(carried[0], j);
    const jax_value l = cx::unscale(c, sqrt(item_kept(c.re(), j).re()));
    const jax_value update = cx::mul(unsqueezed(cx::conj(l), 1), l);
    return collecting_turn{{cx::sub(carried[0], update)}, {l}};
  };
  const bool is_plain = cx::is_real(a) && n.is_constant();
  const real_factors real = is_plain ? factors_by_pivots(columns_first(a).re()) : real_factors{};
  const jax_value factor =
      is_plain ? jax_value(real.columns) : repeat_collecting(g, n, {columns_first(a)}, step).collected[0];
  const value rows = row_numbers(g, n), columns = column_numbers(g, n);
  jax_value l = cx::where(less(rows, columns), a, columns_last(factor));
  if (!cx::is_real(l)) l = {l.re(), where(equal(rows, columns), zero_of(l), l.im())};
  if (is_plain && !real.poison) return cast_parts(l, cx::part_dtype(given));
  const auto poison = [&] {
    if (is_plain) return unsqueeze(real.poison, {real.poison.rank(), real.poison.rank() + 1});
    // A pivot that is not positive makes the last diagonal element NaN.
    const value last = dim_value(g, g.dims().sub(n, 1));
    return mul(column(row(l.re(), last), last).re(), 0);
  };
  return cast_parts(poisoned(l, poison()), cx::part_dtype(given));
}

inline jax_values cholesky(const site& s) { return {potrf(s.in_parts(0))}; }

/// The upper triangular S with S^T S = R^T R + w w^T for upper triangular R: a Givens rotation for every row.
inline jax_values cholesky_update(const site& s) {
  const jax_value r = s.in(0), w = unsqueeze(s.in(1), {s.in(1).rank() - 1});
  const value rows = row_numbers(s.g, row_count(r));
  const auto step = [&](const value& k, const matrices& carried) {
    const value current = row(carried[0], k).re(), z = carried[1].re();
    const value x = column(current, k).re(), y = column(z, k).re();
    const value h = where(equal(y, 0), x, hypot(x, y));
    const value vanishes = equal(h, 0);
    const value cosine = where(vanishes, one_of(x), div(x, h));
    const value sine = where(vanishes, zero_of(x), div(y, h));
    const value rotated = add(mul(cosine, current), mul(sine, z));
    return matrices{where(equal(rows, k), rotated, carried[0].re()), sub(mul(cosine, z), mul(sine, current))};
  };
  return {repeat(s.g, row_count(r), {r, w}, step)[0]};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering cholesky_rows[] = {
    {"cholesky", linalg::cholesky, "Loop, Sqrt, Div, Mul", linalg::cholesky_signature, parts_rule::own,
     ignores{"symmetrize_input"}},
    {"cholesky_update", linalg::cholesky_update, "Loop", linalg::cholesky_update_signature, parts_rule::plain},
};

}  // namespace jax2onnx::lower
