// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/jacobi.hpp>
#include <jax2onnx/lower/linalg/three_by_three.hpp>
#include <jax2onnx/lower/linalg/two_by_two.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// eigh: eigenvalues and eigenvectors of symmetric and Hermitian matrices, by Jacobi rotations or, for some small
/// matrices, in closed form. Sources: jax/_src/lax/linalg.py; LAPACK's syevd, heevd for the phases of the vectors.
namespace jax2onnx::lower::linalg {

/// The Hermitian matrix whose lower or upper triangle is given.
inline jax_value hermitian(const jax_value& a, bool lower) {
  const jax_value given = triangle(a, !lower), mirrored = adjoint(triangle(a, !lower, lower ? -1 : 1));
  const jax_value whole = cx::add(given, mirrored);
  if (cx::is_real(a)) return whole;
  const value diagonal = equal(row_numbers(owner(a), row_count(a)), column_numbers(owner(a), row_count(a)));
  return jax_value(whole.re(), where(diagonal, zero_of(a), whole.im()));
}

/// Eigenvectors and eigenvalues. If an element of the given triangle of a matrix is not finite, all results for this
/// matrix are NaN, except the eigenvector of a 1 by 1 matrix.
struct eigen_pairs {
  jax_value vectors;  ///< the eigenvectors, as columns
  value values;       ///< [..., 1, n]
};

/// The eigenpairs of 1 by 1 matrices.
inline eigen_pairs eigh_1x1(const jax_value& a) { return {identity_like(a, 1, 1), a.re()}; }

/// The eigenpairs of real 2 by 2 matrices.
inline eigen_pairs eigh_2x2(const jax_value& given, bool lower) {
  const two_by_two m = two_by_two::of(cast_parts(given, dtype::f64));
  const value &a = m.a.re(), &b = (lower ? m.c : m.b).re(), &d = m.d.re();
  const bool in_double = cx::part_dtype(given) == dtype::f64;
  const symmetric_2x2 p(a, b, d, in_double ? 2.2e-16 : 1.2e-7, in_double);
  const std::int64_t last = rank(given) - 1;
  const value poison = mul(add(add(a, d), b), 0);
  return {poisoned(stacked(concat({p.low_x, p.high_x}, last), concat({p.low_y, p.high_y}, last)), poison),
          add(concat({p.low, p.high}, last), poison)};
}

/// The eigenpairs of Hermitian matrices, by Jacobi rotations.
///
/// The matrix a is shifted to a + c I; c is so large that all eigenvalues are positive. Then the shifted matrix is
/// rotated until its columns are orthogonal. Each column is then an eigenvector times an eigenvalue of the shifted
/// matrix. As with LAPACK, the first element of a complex eigenvector is real, or the last element if the upper
/// triangle is given.
inline eigen_pairs eigh_by_rotations(const jax_value& given, bool lower) {
  graph& g = owner(given);
  const dim n = row_count(given);
  const scaled_matrices m(hermitian(given, lower));
  const value squares = sum(sum(cx::norm(m.a), -1), -2);
  const value shift = nonzero(mul(sqrt(squares), 2));
  const jax_value shifted = plus_real(m.a, mul(identity(g, dtype::f64, n, n), shift));
  const jax_value columns = orthogonalized(shifted, n, m.tolerance);
  const jax_value vectors = cx::unscale(columns, sqrt(sum(cx::norm(columns), -2)));
  const jax_value image = cx::matmul(m.a, vectors);
  const value quotients = sum(cx::mul(cx::conj(vectors), image), -2).re();
  const auto [values, places] = top_k(quotients, n, quotients.rank() - 1, false);
  jax_value v = permuted_columns(vectors, places);
  if (!cx::is_real(v)) v = cx::mul(v, phase(v, lower ? int64s(g, {0}) : dim_value(g, g.dims().sub(n, 1))));
  return {poisoned(v, m.poison), add(mul(values, m.scale), m.poison)};
}

/// The eigenvalues of real 3 by 3 matrices of a precision below double. The result has no vectors.
inline eigen_pairs eigenvalues_3x3(const jax_value& given, bool lower) {
  const value a = cast(given.re(), dtype::f64);
  return {{}, add(symmetric_eigenvalues_3x3(a, lower), poison_of(hermitian(a, lower)))};
}

/// The eigenpairs of Hermitian matrices. Without `vectors`, the result may lack eigenvectors.
inline eigen_pairs eigen_pairs_of(const jax_value& a, bool lower, bool vectors) {
  const dim n = row_count(a);
  if (n.is(1)) return eigh_1x1(a);
  if (!vectors && n.is(3) && cx::is_real(a) && bits(cx::part_dtype(a)) <= 32) return eigenvalues_3x3(a, lower);
  return n.is(2) && cx::is_real(a) ? eigh_2x2(a, lower) : eigh_by_rotations(a, lower);
}

/// eigh a: eigenvectors as columns, and eigenvalues in ascending order. With subset_by_index, only the selected ones.
inline jax_values eigh(const site& s) {
  const bool lower = s.param_or("lower", true);
  const auto subset = s.param_or<shape>("subset_by_index", {});
  const jax_value& given = s.in_parts(0);
  if (is_empty(given)) return {given, filled(s.g, s.out_dtype(1), s.out_dims(1), 0)};
  auto [v, w] = eigen_pairs_of(given, lower, wants(s.wanted(), 0));
  if (!subset.empty()) {
    w = slice(w, w.rank() - 1, subset[0], subset[1]);
    v = column_range(v, subset[0], subset[1]);
  }
  const value values = squeeze(w, {w.rank() - 2});
  return {cast_parts(v, s.out_dtype(0)), cast(values, s.out_dtype(1))};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering eigh_rows[] = {
    {"eigh", linalg::eigh, "Loop, ReduceSum, Gather, TopK; values of 3 by 3 matrices: closed form",
     linalg::eigh_signature, parts_rule::own, ignores{"algorithm sort_eigenvalues"}},
};

}  // namespace jax2onnx::lower
