#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>

/// QR factors by Householder reflectors H = I - tau v v^H, with LAPACK's signs: R's diagonal is real.
namespace jax2onnx::lower {

/// The reflector of a column c [..., m, 1] whose elements after `k` it annihilates: H^H c = beta e_k (larfg).
struct reflector {
  jax_value v;    ///< [..., m, 1]: zero before k, one at k
  jax_value tau;  ///< [..., 1, 1]; zero where there is nothing to annihilate
  jax_value beta;
  reflector(const jax_value& c, const value& rows, const value& k) {
    using namespace linalg;
    const value below = greater(rows, k);
    const jax_value alpha = row(c, k);
    const value tail = sum(cx::norm(keep(below, c)), -2);
    const value imaginary = cx::is_real(alpha) ? tail : jax2onnx::add(tail, jax2onnx::mul(alpha.im(), alpha.im()));
    const value nothing = equal(imaginary, 0);
    const value size = jax2onnx::sqrt(jax2onnx::add(cx::norm(alpha), tail));
    const value b = jax2onnx::where(greater_equal(alpha.re(), 0), jax2onnx::neg(size), size);
    const value divisor = jax2onnx::where(nothing, one_of(c), b);
    const jax_value difference = cx::is_real(alpha) ? jax_value(jax2onnx::sub(alpha.re(), b))
                                                    : jax_value(jax2onnx::sub(alpha.re(), b), alpha.im());
    tau = keep(logical_not(nothing), cx::neg(cx::unscale(difference, divisor)));
    beta = cx::is_real(alpha) ? jax_value(jax2onnx::where(nothing, alpha.re(), b))
                              : jax_value(jax2onnx::where(nothing, alpha.re(), b), jax2onnx::mul(alpha.im(), 0));
    const jax_value scaled = cx::div(c, cx::where(nothing, jax_value(one_of(c)), difference));
    v = cx::where(below, scaled, unit(c, rows, k));
  }
  /// The unit vector of axis k, with as many parts as `c`.
  static jax_value unit(const jax_value& c, const value& rows, const value& k) {
    const value one = cast(equal(rows, k), cx::part_dtype(c));
    return cx::is_real(c) ? jax_value(one) : jax_value(one, linalg::zero_of(c));
  }
};

/// a - tau v (v^H a): H from the left.
inline jax_value reflect(const jax_value& a, const jax_value& tau, const jax_value& v) {
  return cx::sub(a, cx::mul(cx::mul(tau, v), cx::matmul(linalg::adjoint(v), a)));
}
/// a - (a v) tau v^H: H from the right.
inline jax_value reflect_right(const jax_value& a, const jax_value& tau, const jax_value& v) {
  return cx::sub(a, cx::mul(cx::matmul(a, v), cx::mul(tau, linalg::adjoint(v))));
}

/// v of reflector k, as geqrf leaves it below the diagonal.
inline jax_value stored_reflector(const jax_value& a, const value& rows, const value& k) {
  const jax_value c = linalg::column(a, k);
  return cx::where(greater(rows, k), c, reflector::unit(c, rows, k));
}

/// R above, reflectors below the diagonal, and the taus [..., k]; with `pivoting` of the columns in the order that takes
/// the largest remaining one each time (geqp3), and that order [..., n], int64.
struct qr_factors {
  jax_value a, taus;
  value order;
};

inline jax_value drop_last(const jax_value& a) {
  return cx::map(a, [](const value& v) { return squeeze(v, {v.rank() - 1}); });
}
/// [..., n] as columns [..., n, 1]
inline jax_value as_columns(const jax_value& a) {
  return cx::map(a, [](const value& v) { return unsqueeze(v, {v.rank()}); });
}

/// Column k and the largest one (by its elements from row k on) exchanged, in `a` and in the row `order`.
inline linalg::matrices exchange_columns(const jax_value& a, const jax_value& order, const value& rows,
                                         const value& columns, const value& k) {
  using namespace linalg;
  const value norms = sum(keep(greater_equal(rows, k), cx::norm(a)).re(), -2);
  const value size = jax2onnx::where(jax2onnx::less(columns, k), scalar(owner(a), norms.dtype(), -1), norms);
  shape dims = size.dims();
  dims.back() = 1;
  const value p = owner(a).emit("ArgMax", {size}, {dtype::i64, dims}, {{"axis", std::int64_t{-1}}});
  const value at_p = equal(columns, p), at_k = equal(columns, k);
  const auto exchange = [&](const jax_value& x) {
    return cx::where(at_k, sum(keep(at_p, x), -1), cx::where(at_p, column(x, k), x));
  };
  return {exchange(a), exchange(order)};
}

inline qr_factors geqrf(const jax_value& a, bool pivoting = false) {
  using namespace linalg;
  graph& g = owner(a);
  const dim m = row_count(a), n = column_count(a), steps = shorter_side(a);
  const value rows = row_numbers(g, m), columns = column_numbers(g, n), slots = row_numbers(g, steps);
  shape taus = a.re().dims(), order = a.re().dims();
  taus[taus.size() - 2] = steps;
  taus.back() = 1;
  order[order.size() - 2] = 1;
  const auto zeros = [&](const value&) { return filled(g, cx::part_dtype(a), taus, 0); };
  matrices first{a, cx::map(a, zeros)};
  if (pivoting) first.push_back(broadcast_to(columns, order));
  const auto step = [&](const value& k, const matrices& carried) {
    matrices next = pivoting ? exchange_columns(carried[0], carried[2], rows, columns, k) : matrices{carried[0]};
    const jax_value c = column(next[0], k);
    const reflector h(c, rows, k);
    const jax_value updated = reflect(next[0], cx::conj(h.tau), h.v);
    const jax_value packed = cx::where(jax2onnx::less(rows, k), c, cx::where(equal(rows, k), h.beta, h.v));
    const jax_value others = cx::where(greater(columns, k), updated, next[0]);
    next[0] = cx::where(equal(columns, k), packed, others);
    next.insert(next.begin() + 1, cx::where(equal(slots, k), h.tau, carried[1]));
    return next;
  };
  const matrices last = repeat(g, steps, first, step);
  qr_factors out{last[0], drop_last(last[1]), {}};
  if (pivoting) out.order = squeeze(last[2].re(), {rank(a) - 2});
  return out;
}

/// Q c with Q = H_0 H_1 …, the reflectors that geqrf leaves.
inline jax_value reflected(const jax_value& a, const jax_value& taus, const jax_value& c) {
  using namespace linalg;
  if (is_empty(taus)) return c;
  const value rows = row_numbers(owner(a), row_count(a));
  const jax_value tau = as_columns(taus);
  const auto step = [&](const value& k, const matrices& carried) {
    return matrices{reflect(carried[0], row(tau, k), stored_reflector(a, rows, k))};
  };
  return repeat(owner(a), column_count(taus), {c}, step, true)[0];
}

/// The first columns of Q, as many as `wanted` says.
inline jax_value householder_columns(const jax_value& a, const jax_value& taus, dim wanted) {
  return reflected(a, taus, linalg::identity_like(a, linalg::row_count(a), wanted));
}

inline jax_values householder_product(const site& s) {
  return {householder_columns(s.in_parts(0), s.in_parts(1), s.out_dims().back())};
}

/// c with Q = H_0 H_1 … or its adjoint from the left or right, without Q.
inline jax_values ormqr(const site& s) {
  using namespace linalg;
  const bool left = s.param<bool>("left"), adjoint_q = s.param<bool>("transpose");
  const jax_value &a = s.in_parts(0), &c = s.in_parts(2);
  if (is_empty(s.in_parts(1)) || is_empty(c)) return {c};
  const jax_value tau = as_columns(adjoint_q ? cx::conj(s.in_parts(1)) : s.in_parts(1));
  const value rows = row_numbers(s.g, row_count(a));
  const auto step = [&](const value& k, const matrices& carried) {
    const jax_value v = stored_reflector(a, rows, k), t = row(tau, k);
    return matrices{left ? reflect(carried[0], t, v) : reflect_right(carried[0], t, v)};
  };
  return {repeat(s.g, row_count(tau), {c}, step, left != adjoint_q)[0]};
}

/// Rows [0, n) of the matrices.
inline jax_value first_rows(const jax_value& a, dim n) {
  return cx::map(a, [&](const value& v) { return jax2onnx::slice(v, v.rank() - 2, 0, n); });
}
inline jax_value first_columns(const jax_value& a, dim n) {
  return cx::map(a, [&](const value& v) { return jax2onnx::slice(v, v.rank() - 1, 0, n); });
}

inline jax_values qr(const site& s) {
  using namespace linalg;
  const bool pivoting = s.param_or("pivoting", false);
  const jax_value& a = s.in_parts(0);
  const shape &q = s.out_dims(0), &r = s.out_dims(1);
  if (is_empty(a)) {
    jax_values out{identity_like(a, q[q.size() - 2], q.back()),
                   cx::map(a, [&](const value& v) { return filled(s.g, v.dtype(), r, 0); })};
    if (pivoting) out.push_back(filled(s.g, dtype::i32, s.out_dims(2), 0));
    return out;
  }
  const qr_factors f = geqrf(a, pivoting);
  jax_values out{householder_columns(f.a, f.taus, q.back()), triangle(first_rows(f.a, r[r.size() - 2]), true)};
  if (pivoting) out.push_back(cast(f.order, dtype::i32));
  return out;
}

inline jax_values geqrf_primitive(const site& s) {
  const qr_factors f = geqrf(s.in_parts(0));
  return {f.a, f.taus};
}

/// geqp3 a jpvt: columns whose jpvt is not zero would go first.
inline jax_values geqp3(const site& s) {
  if (!cx::is_zero(s.in(1))) s.unsupported("columns that are to come first (a jpvt that is not all zero)");
  const qr_factors f = geqrf(s.in_parts(0), true);
  return {f.a, cast(add(f.order, 1), s.out_dtype(1)), f.taus};
}

inline constexpr lowering qr_rows[] = {
    {"geqp3", geqp3, "Loop, ArgMax, MatMul", parts_rule::own, "jpvt has to be zero", ignores{"use_magma"}},
    {"geqrf", geqrf_primitive, "Loop, MatMul", parts_rule::own},
    {"householder_product", householder_product, "Loop, MatMul", parts_rule::own},
    {"ormqr", ormqr, "Loop, MatMul", parts_rule::own},
    {"qr", qr, "Loop, MatMul, Trilu", parts_rule::own, ignores{"full_matrices use_magma"}},
};

}  // namespace jax2onnx::lower
