#pragma once

#include <jax2onnx/lower/linalg/jacobi.hpp>
#include <jax2onnx/lower/linalg/qr.hpp>

/// Singular values and vectors.
namespace jax2onnx::lower {

/// U, s as [..., 1, k] and V, with A = U diag(s) V^H.
struct singular_values {
  jax_value u;
  value s;
  jax_value v;
};

/// With all or as many columns of U and V as there are singular values. A factor R takes the place of a matrix that is
/// higher than wide; Jacobi's rotations V make the columns of R orthogonal, and a QR factorization of R V completes U
/// where a singular value vanishes. As by LAPACK the first element of a complex right vector is real.
inline singular_values jacobi_svd(const jax_value& a, double tolerance, bool vectors, bool full) {
  using namespace linalg;
  graph& g = owner(a);
  const dim m = row_count(a), n = column_count(a), k = shorter_side(a);
  const bool reduced = k == n && m != n;
  const qr_factors outer = reduced ? geqrf(a) : qr_factors{a, a, {}};
  const jax_value r = reduced ? triangle(first_rows(outer.a, n), true) : a;
  const dim height = row_count(r);
  const jax_value both = orthogonalized(vectors ? joined(r, identity_like(r, n, n), -2) : r, height, tolerance);
  const value norms = jax2onnx::sqrt(sum(cx::norm(first_rows(both, height)), -2));
  const auto [sorted_norms, places] = top_k(norms, n, norms.rank() - 1, true);
  const value s = jax2onnx::slice(sorted_norms, norms.rank() - 1, 0, k);
  if (!vectors) return {{}, s, {}};
  const jax_value sorted = permuted_columns(both, places);
  jax_value columns = first_rows(sorted, height), v = linalg::slice(sorted, -2, height, g.dims().add(height, n));
  if (!cx::is_real(v)) {
    const jax_value turn = phase(v, int64s(g, {0}));
    columns = cx::mul(columns, turn);
    v = cx::mul(v, turn);
  }
  if (!full) v = first_columns(v, k);
  const qr_factors inner = geqrf(first_columns(columns, k));
  const value diagonal = sum(jax2onnx::mul(inner.a.re(), linalg::identity(g, s.dtype(), height, k)), -2);
  const dim left = full ? m : k;
  const value signs = with_sign(one_of(a), diagonal);
  if (!reduced) {
    const jax_value u = cx::scale(householder_columns(inner.a, inner.taus, k), signs);
    return {left == k ? u : joined(u, linalg::slice(householder_columns(inner.a, inner.taus, left), -1, k, left), -1),
            s, v};
  }
  // The columns of U beyond n are those of the outer Q.
  jax_value u = padded(cx::scale(householder_columns(inner.a, inner.taus, n), signs), m, left);
  const value beyond = greater_equal(column_numbers(g, left), as_scalar(g, n));
  if (full) u = plus_real(u, keep(beyond, linalg::identity(g, s.dtype(), m, left)).re());
  return {reflected(outer.a, outer.taus, u), s, v};
}

/// svd a: s, and with compute_uv U and V^H. That of a wide matrix is that of its adjoint.
/// Of any matrices: A = U diag(s) V^H, values [..., 1, k] in s's precision.
inline singular_values factored_svd(const jax_value& a, bool vectors, bool full) {
  using namespace linalg;
  dim_table& dims = owner(a).dims();
  const dim m = row_count(a), n = column_count(a);
  const bool wide = m != n && dims.known_nonnegative(dims.sub(n, m));
  const scaled_matrices scaled(wide ? adjoint(a) : a);
  const singular_values f = jacobi_svd(scaled.a, scaled.tolerance, vectors, full);
  const auto finished = [&](const jax_value& x) {
    return cx::map(x, [&](const value& v) { return cast(jax2onnx::add(v, scaled.poison), cx::part_dtype(a)); });
  };
  const value values = finished(jax2onnx::mul(f.s, scaled.scale)).re();
  if (!vectors) return {{}, values, {}};
  return {finished(wide ? f.v : f.u), values, finished(wide ? f.u : f.v)};
}

inline jax_values svd(const site& s) {
  using namespace linalg;
  const bool vectors = s.param_or("compute_uv", true), full = s.param_or("full_matrices", true);
  const auto subset = s.param_or<shape>("subset_by_index", {});
  const jax_value& a = s.in_parts(0);
  if (is_empty(a)) {
    jax_values out{filled(s.g, s.out_dtype(), s.out_dims(), 0)};
    for (std::size_t i = 1; i < s.out_count(); ++i)
      out.push_back(identity_like(a, s.out_dims(i)[s.out_dims(i).size() - 2], s.out_dims(i).back()));
    return out;
  }
  const singular_values f = factored_svd(a, vectors, full);
  const auto chosen = [&](const jax_value& x, std::int64_t axis) {
    return subset.empty() ? x : linalg::slice(x, axis, subset[0], subset[1]);
  };
  const value values = chosen(f.s, -1).re();
  jax_values out{squeeze(values, {values.rank() - 2})};
  if (!vectors) return out;
  out.push_back(chosen(f.u, -1));
  out.push_back(chosen(adjoint(f.v), -2));
  return out;
}

inline constexpr lowering svd_rows[] = {
    {"svd", svd, "Loop, MatMul, ReduceSum, Gather, TopK", parts_rule::own, ignores{"algorithm"}},
};

}  // namespace jax2onnx::lower
