// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/jacobi.hpp>
#include <jax2onnx/lower/linalg/qr.hpp>
#include <jax2onnx/lower/linalg/two_by_two.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// svd: singular values and vectors, by Jacobi rotations.
/// Sources: jax/_src/lax/linalg.py; LAPACK's gesdd for the phases of the vectors.
namespace jax2onnx::lower::linalg {

/// A = U diag(s) V^H; s is [..., 1, k].
struct singular_values {
  jax_value u;
  value s;
  jax_value v;
};

/// The decomposition of a matrix that is not known to have fewer rows than columns. U and V have as many columns as
/// there are singular values, or all columns if `full`; without `vectors`, they are absent.
///
/// A matrix that is known to have more rows than columns is replaced by its factor R, unless this would take longer.
/// Jacobi rotations V make the columns of R orthogonal. A QR factorization of R V completes U if a singular value is
/// zero. As with LAPACK, the first element of a complex right vector is real.
inline singular_values jacobi_svd(const jax_value& a, double tolerance, bool vectors, bool full) {
  graph& g = owner(a);
  const dim m = row_count(a), n = column_count(a), k = shorter_side(a);
  // The factorization before the rotations also determines the columns beyond n. With only a few rows, the
  // factorization takes longer than it saves.
  const bool few_rows = m.is_constant() && m.extent() <= 8;
  const bool reduced = k == n && m != n && (full || !few_rows);
  const qr_factors outer = reduced ? geqrf(a) : qr_factors{a, a, {}};
  const jax_value r = reduced ? triangle(row_range(outer.a, 0, n), true) : a;
  const dim height = row_count(r);
  const jax_value both = orthogonalized(vectors ? stacked(r, identity_like(r, n, n)) : r, height, tolerance);
  const value norms = sqrt(sum(cx::norm(row_range(both, 0, height)), -2));
  const auto [sorted_norms, places] = top_k(norms, n, norms.rank() - 1, true);
  const value s = slice(sorted_norms, norms.rank() - 1, 0, k);
  if (!vectors) return {{}, s, {}};
  const jax_value sorted = permuted_columns(both, places);
  jax_value columns = row_range(sorted, 0, height), v = row_range(sorted, height, g.dims().add(height, n));
  if (!cx::is_real(v)) {
    const jax_value factors = phase(v, int64s(g, {0}));
    columns = cx::mul(columns, factors);
    v = cx::mul(v, factors);
  }
  if (!full) v = column_range(v, 0, k);
  const qr_factors inner = geqrf(column_range(columns, 0, k));
  const value diagonal = sum(mul(inner.a.re(), identity(g, s.dtype(), height, k)), -2);
  const dim left = full ? m : k;
  const value signs = with_sign(one_of(a), diagonal);
  if (!reduced) {
    const jax_value u = cx::scale(householder_columns(inner.a, inner.taus, k), signs);
    if (left == k) return {u, s, v};
    return {side_by_side(u, column_range(householder_columns(inner.a, inner.taus, left), k, left)), s, v};
  }
  // The columns of U beyond n are the columns of the outer Q.
  jax_value u = zero_padded(cx::scale(householder_columns(inner.a, inner.taus, n), signs), m, left);
  const value beyond = greater_equal(column_numbers(g, left), as_scalar(g, n));
  if (full) u = plus_real(u, keep(beyond, identity(g, s.dtype(), m, left)).re());
  return {reflected(outer.a, outer.taus, u), s, v};
}

/// The singular values of 1 by 1 and of real 2 by 2 matrices.
inline value small_singular_values(const jax_value& a) {
  if (row_count(a).is(1)) return cx::abs(a);
  const singular_values_2x2 s(two_by_two::of(a));
  return concat({s.large, s.small}, rank(a) - 1);
}

/// The decomposition of any matrix, in the precision of its elements. If a matrix is known to have more columns than
/// rows, its adjoint is decomposed.
inline singular_values factored_svd(const jax_value& a, bool vectors, bool full) {
  dim_table& dims = owner(a).dims();
  const dim m = row_count(a), n = column_count(a);
  const bool wide = m != n && dims.known_nonnegative(dims.sub(n, m));
  const scaled_matrices scaled(wide ? adjoint(a) : a);
  const bool small = !vectors && m == n && (n.is(1) || (n.is(2) && cx::is_real(a)));
  const singular_values f = small ? singular_values{{}, small_singular_values(scaled.a), {}}
                                  : jacobi_svd(scaled.a, scaled.tolerance, vectors, full);
  const auto finished = [&](const jax_value& x) {
    return each_part(x, [&](const value& v) { return cast(add(v, scaled.poison), cx::part_dtype(a)); });
  };
  const value values = finished(mul(f.s, scaled.scale)).re();
  if (!vectors) return {{}, values, {}};
  return {finished(wide ? f.v : f.u), values, finished(wide ? f.u : f.v)};
}

/// svd a: the singular values s; with compute_uv also U and V^H. With subset_by_index, only the selected ones.
inline jax_values svd(const site& s) {
  const bool vectors = s.param_or("compute_uv", true), full = s.param_or("full_matrices", true);
  const auto subset = s.param_or<shape>("subset_by_index", {});
  const jax_value& a = s.in_parts(0);
  if (is_empty(a)) {
    jax_values out{filled(s.g, s.out_dtype(), s.out_dims(), 0)};
    for (std::size_t i = 1; i < s.out_count(); ++i)
      out.push_back(identity_like(a, s.out_dims(i)[s.out_dims(i).size() - 2], s.out_dims(i).back()));
    return out;
  }
  singular_values f = factored_svd(a, vectors, full);
  const bool whole = subset.empty();
  const value values = whole ? f.s : slice(f.s, f.s.rank() - 1, subset[0], subset[1]);
  jax_values out{squeeze(values, {values.rank() - 2})};
  if (!vectors) return out;
  out.push_back(whole ? f.u : column_range(f.u, subset[0], subset[1]));
  const jax_value right = adjoint(f.v);
  out.push_back(whole ? right : row_range(right, subset[0], subset[1]));
  return out;
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering svd_rows[] = {
    {"svd", linalg::svd, "Loop, MatMul, ReduceSum, Gather, TopK", linalg::svd_signature, parts_rule::own,
     ignores{"algorithm"}},
};

}  // namespace jax2onnx::lower
