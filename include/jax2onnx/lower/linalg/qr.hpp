// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/householder.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// qr, geqrf and geqp3: QR factors by Householder reflectors, as a Loop over the columns. As with LAPACK, the diagonal
/// of R is real. Sources: jax/_src/lax/linalg.py; LAPACK's geqrf, geqp3.
namespace jax2onnx::lower::linalg {

struct qr_factors {
  jax_value a;     ///< R on and above the diagonal, reflectors below it
  jax_value taus;  ///< [..., k]
  value order;     ///< with pivoting, the index of every column in the given matrix, int64[..., n]
};

/// Exchanges column k with the longest of the columns from k on, measured from row k on, in `a` and in the row `order`.
inline matrices exchange_columns(const jax_value& a, const jax_value& order, const value& rows, const value& columns,
                                 const value& k) {
  const value norms = sum(keep(greater_equal(rows, k), cx::norm(a)).re(), -2);
  const value size = where(less(columns, k), scalar(owner(a), norms.dtype(), -1), norms);
  shape dims = size.dims();
  dims.back() = 1;
  const value p = owner(a).emit("ArgMax", {size}, {dtype::i64, dims}, {{"axis", std::int64_t{-1}}});
  const value at_p = equal(columns, p), at_k = equal(columns, k);
  const auto exchange = [&](const jax_value& x) {
    return cx::where(at_k, sum(keep(at_p, x), -1), cx::where(at_p, column(x, k), x));
  };
  return {exchange(a), exchange(order)};
}

/// The QR factors of `a`. With `pivoting`, every step selects the longest remaining column (geqp3).
inline qr_factors geqrf(const jax_value& a, bool pivoting = false) {
  graph& g = owner(a);
  const dim m = row_count(a), n = column_count(a), steps = shorter_side(a);
  const value rows = row_numbers(g, m), columns = column_numbers(g, n), slots = row_numbers(g, steps);
  const shape tau_dims = matrix_dims(a, steps, 1);
  matrices first{a, each_part(a, [&](const value& v) { return filled(g, v.dtype(), tau_dims, 0); })};
  if (pivoting) first.push_back(broadcast_to(columns, matrix_dims(a, 1, n)));
  const auto step = [&](const value& k, const matrices& carried) {
    matrices next = pivoting ? exchange_columns(carried[0], carried[2], rows, columns, k) : matrices{carried[0]};
    const jax_value c = column(next[0], k);
    const reflector h(c, rows, k);
    const jax_value updated = reflect(next[0], cx::conj(h.tau), h.v);
    const jax_value packed = cx::where(less(rows, k), c, cx::where(equal(rows, k), h.beta, h.v));
    // ONNX Runtime's Where keeps -0 only in its last operand.
    const jax_value others = cx::where(less_equal(columns, k), next[0], updated);
    next[0] = cx::where(equal(columns, k), packed, others);
    next.insert(next.begin() + 1, cx::where(equal(slots, k), h.tau, carried[1]));
    return next;
  };
  const matrices last = repeat(g, steps, first, step);
  qr_factors out{last[0], as_vectors(last[1]), {}};
  if (pivoting) out.order = squeeze(last[2].re(), {rank(a) - 2});
  return out;
}

inline jax_values qr(const site& s) {
  const bool pivoting = s.param_or("pivoting", false);
  const jax_value& a = s.in_parts(0);
  const shape &q = s.out_dims(0), &r = s.out_dims(1);
  if (is_empty(a)) {
    jax_values out{identity_like(a, q[q.size() - 2], q.back()),
                   each_part(a, [&](const value& v) { return filled(s.g, v.dtype(), r, 0); })};
    if (pivoting) out.push_back(filled(s.g, dtype::i32, s.out_dims(2), 0));
    return out;
  }
  const qr_factors f = geqrf(a, pivoting);
  jax_values out{householder_columns(f.a, f.taus, q.back()), triangle(row_range(f.a, 0, r[r.size() - 2]), true)};
  if (pivoting) out.push_back(cast(f.order, dtype::i32));
  return out;
}

inline jax_values geqrf_primitive(const site& s) {
  const qr_factors f = geqrf(s.in_parts(0));
  return {f.a, f.taus};
}

/// geqp3 a jpvt. LAPACK moves columns whose jpvt is not zero to the front; only zeros are supported.
inline jax_values geqp3(const site& s) {
  if (!cx::is_zero(s.in(1))) s.unsupported("its jpvt is not known to be zero");
  const qr_factors f = geqrf(s.in_parts(0), true);
  return {f.a, cast(add(f.order, 1), s.out_dtype(1)), f.taus};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering qr_rows[] = {
    {"geqp3", linalg::geqp3, "Loop, ArgMax, MatMul", linalg::geqp3_signature, parts_rule::own,
     "a jpvt that is not zero", ignores{"use_magma"}},
    {"geqrf", linalg::geqrf_primitive, "Loop, MatMul", linalg::geqrf_signature, parts_rule::own},
    {"qr", linalg::qr, "Loop, MatMul, Trilu", linalg::qr_signature, parts_rule::own,
     ignores{"full_matrices use_magma"}},
};

}  // namespace jax2onnx::lower
