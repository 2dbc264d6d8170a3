#pragma once

#include <jax2onnx/lower/linalg/jacobi.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// eigh: eigenvalues and eigenvectors of symmetric and Hermitian matrices, by Jacobi rotations.
/// Sources: jax/_src/lax/linalg.py; LAPACK's syevd, heevd for the phases of the vectors.
namespace jax2onnx::lower::linalg {

/// The Hermitian matrix of which one triangle is given.
inline jax_value hermitian(const jax_value& a, bool lower) {
  const jax_value given = triangle(a, !lower), mirrored = adjoint(triangle(a, !lower, lower ? -1 : 1));
  const jax_value whole = cx::add(given, mirrored);
  if (cx::is_real(a)) return whole;
  const value diagonal = equal(row_numbers(owner(a), row_count(a)), column_numbers(owner(a), row_count(a)));
  return jax_value(whole.re(), where(diagonal, zero_of(a), whole.im()));
}

/// eigh a: eigenvectors in columns, and eigenvalues in ascending order.
///
/// The shifted matrix a + c, with c so large that its eigenvalues are positive, is rotated until its columns are
/// orthogonal. Each column is then an eigenvector times its eigenvalue. As with LAPACK, the first element of a complex
/// eigenvector is real; given the upper triangle, the last one is.
inline jax_values eigh(const site& s) {
  const bool lower = s.param_or("lower", true);
  const auto subset = s.param_or<shape>("subset_by_index", {});
  const jax_value& given = s.in_parts(0);
  const dim n = row_count(given);
  if (is_empty(given)) return {given, filled(s.g, s.out_dtype(1), s.out_dims(1), 0)};
  const scaled_matrices m(hermitian(given, lower));
  const value squares = sum(sum(cx::norm(m.a), -1), -2);
  const value shift = maximum(mul(sqrt(squares), 2), 1);
  const jax_value shifted = plus_real(m.a, mul(identity(s.g, dtype::f64, n, n), shift));
  const jax_value columns = orthogonalized(shifted, n, m.tolerance);
  const jax_value vectors = cx::unscale(columns, sqrt(sum(cx::norm(columns), -2)));
  const jax_value image = cx::matmul(m.a, vectors);
  const value quotients = sum(cx::mul(cx::conj(vectors), image), -2).re();
  const auto [values, places] = top_k(quotients, n, quotients.rank() - 1, false);
  value w = add(mul(values, m.scale), m.poison);
  jax_value v = permuted_columns(vectors, places);
  if (!cx::is_real(v)) v = cx::mul(v, phase(v, lower ? int64s(s.g, {0}) : dim_value(s.g, s.g.dims().sub(n, 1))));
  if (!subset.empty()) {
    w = slice(w, w.rank() - 1, subset[0], subset[1]);
    v = column_range(v, subset[0], subset[1]);
  }
  v = poisoned(v, m.poison);
  return {cast_parts(v, s.out_dtype(0)), cast(squeeze(w, {w.rank() - 2}), s.out_dtype(1))};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering eigh_rows[] = {
    {"eigh", linalg::eigh, "Loop, ReduceSum, Gather, TopK", linalg::eigh_signature, parts_rule::own,
     ignores{"algorithm sort_eigenvalues"}},
};

}  // namespace jax2onnx::lower
