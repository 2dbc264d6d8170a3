// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// cholesky and cholesky_update, as a Loop over the columns or rows of the factor. Sources: jax/_src/lax/linalg.py;
/// LAPACK's potrf.
namespace jax2onnx::lower::linalg {

/// The lower Cholesky factor of the matrix whose lower triangle is given. Each iteration computes a column of the
/// factor and subtracts its outer product from the matrix: l = A[:, j] / sqrt(A[j, j]), A := A - l l^H. The elements
/// that this gives above the diagonal, and in rows and columns up to j, are not read.
/// The strict upper triangle is unchanged. If the matrix is not positive definite, all elements are NaN.
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
  const jax_value factor = repeat_collecting(g, n, {columns_first(a)}, step).collected[0];
  const value rows = row_numbers(g, n), columns = column_numbers(g, n);
  jax_value l = cx::where(less(rows, columns), a, columns_last(factor));
  if (!cx::is_real(l)) l = {l.re(), where(equal(rows, columns), zero_of(l), l.im())};
  // A square root of a negative number makes the last diagonal element NaN.
  const value last = dim_value(g, g.dims().sub(n, 1));
  const value poison = mul(column(row(l.re(), last), last).re(), 0);
  return cast_parts(poisoned(l, poison), cx::part_dtype(given));
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
