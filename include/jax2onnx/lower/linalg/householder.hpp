// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/lower/linalg/types.hpp>
#include <jax2onnx/ops/float_bits.hpp>

/// Householder reflectors H = I - tau v v^H, with LAPACK's signs, and the primitives on products of them:
/// householder_product and ormqr. Sources: jax/_src/lax/linalg.py; LAPACK's larfg, orgqr, unmqr.
namespace jax2onnx::lower::linalg {

/// The unit vector e_k [m, 1], with as many parts as `like`.
inline jax_value unit_vector(const jax_value& like, const value& rows, const value& k) {
  const value one = cast(equal(rows, k), cx::part_dtype(like));
  return cx::is_real(like) ? jax_value(one) : jax_value(one, zero_of(like));
}

/// The reflector for a column c [..., m, 1] that annihilates the elements after row k: H^H c = beta e_k for the part of
/// c from row k on (larfg).
struct reflector {
  jax_value v;     ///< the vector, [..., m, 1]: zero before row k, one in row k
  jax_value tau;   ///< the factor, [..., 1, 1]; zero if there is nothing to annihilate
  jax_value beta;  ///< [..., 1, 1], real
  reflector(const jax_value& c, const value& rows, const value& k) {
    const value below = greater(rows, k);
    const jax_value alpha = row(c, k);
    const bool real = cx::is_real(alpha);
    const value tail = sum(cx::norm(keep(below, c)), -2);
    const value nothing = equal(real ? tail : add(tail, mul(alpha.im(), alpha.im())), 0);
    const value size = sqrt(add(cx::norm(alpha), tail));
    const value b = where(jax2onnx::detail::is_negative(alpha.re()), size, neg(size));  // -0 is negative here
    const value divisor = where(nothing, one_of(c), b);
    const jax_value difference = real ? jax_value(sub(alpha.re(), b)) : jax_value(sub(alpha.re(), b), alpha.im());
    tau = keep(logical_not(nothing), cx::neg(cx::unscale(difference, divisor)));
    beta =
        real ? jax_value(where(nothing, alpha.re(), b)) : jax_value(where(nothing, alpha.re(), b), mul(alpha.im(), 0));
    const jax_value scaled = cx::div(c, cx::where(nothing, jax_value(one_of(c)), difference));
    v = cx::where(below, scaled, unit_vector(c, rows, k));
  }
};

/// a - tau v (v^T a) of real matrices without batch dimensions.
inline value reflect_one(const value& a, const value& tau, const value& v) {
  graph& g = a.owner();
  const value products = g.emit("Gemm", {v, a}, {a.dtype(), {1, a.dims().back()}}, {{"transA", std::int64_t{1}}});
  return g.emit("Gemm", {mul(tau, v), products, a}, a.type(), {{"alpha", -1.0f}});
}
/// H from the left: a - tau v (v^H a).
inline jax_value reflect(const jax_value& a, const jax_value& tau, const jax_value& v) {
  if (cx::is_real(a) && rank(a) == 2) return reflect_one(a.re(), tau.re(), v.re());
  return cx::sub(a, cx::mul(cx::mul(tau, v), cx::matmul(adjoint(v), a)));
}
/// H from the right: a - (a v) tau v^H.
inline jax_value reflect_right(const jax_value& a, const jax_value& tau, const jax_value& v) {
  return cx::sub(a, cx::mul(cx::matmul(a, v), cx::mul(tau, adjoint(v))));
}

/// The vector v of reflector k, which geqrf stores below the diagonal of `a`.
inline jax_value stored_reflector(const jax_value& a, const value& rows, const value& k) {
  const jax_value c = column(a, k);
  return cx::where(greater(rows, k), c, unit_vector(c, rows, k));
}

/// Applies the reflectors stored in `a` to c one after another, from the left or from the right, in order or (backward)
/// in reverse order. `taus` are [..., k, 1].
inline jax_value apply_reflectors(const jax_value& a, const jax_value& taus, const jax_value& c, bool left,
                                  bool backward) {
  graph& g = owner(a);
  const value rows = row_numbers(g, row_count(a));
  const auto step = [&](const value& k, const matrices& carried) {
    const jax_value v = stored_reflector(a, rows, k), tau = row(taus, k);
    return matrices{left ? reflect(carried[0], tau, v) : reflect_right(carried[0], tau, v)};
  };
  return repeat(g, row_count(taus), {c}, step, backward)[0];
}

/// Q c where Q = H_0 H_1 … is the product of the reflectors in `a`; `taus` are [..., k].
inline jax_value reflected(const jax_value& a, const jax_value& taus, const jax_value& c) {
  return is_empty(taus) ? c : apply_reflectors(a, as_columns(taus), c, true, true);
}
/// Q^H c.
inline jax_value reflected_back(const jax_value& a, const jax_value& taus, const jax_value& c) {
  return apply_reflectors(a, cx::conj(as_columns(taus)), c, true, false);
}
/// The first n columns of Q.
inline jax_value householder_columns(const jax_value& a, const jax_value& taus, dim n) {
  return reflected(a, taus, identity_like(a, row_count(a), n));
}

inline jax_values householder_product(const site& s) {
  return {householder_columns(s.in_parts(0), s.in_parts(1), s.out_dims().back())};
}

/// ormqr a taus c: Q c (left) or c Q, without forming Q. If `transpose`, Q^H replaces Q.
inline jax_values ormqr(const site& s) {
  const bool left = s.param<bool>("left"), adjoint_q = s.param<bool>("transpose");
  const jax_value &a = s.in_parts(0), &taus = s.in_parts(1), &c = s.in_parts(2);
  if (is_empty(taus) || is_empty(c)) return {c};
  return {apply_reflectors(a, as_columns(adjoint_q ? cx::conj(taus) : taus), c, left, left != adjoint_q)};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering householder_rows[] = {
    {"householder_product", linalg::householder_product, "Loop, MatMul", linalg::householder_product_signature,
     parts_rule::own},
    {"ormqr", linalg::ormqr, "Loop, MatMul", linalg::ormqr_signature, parts_rule::own},
};

}  // namespace jax2onnx::lower
