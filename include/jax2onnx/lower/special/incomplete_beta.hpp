// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/special/convergence.hpp>
#include <jax2onnx/lower/special/gamma.hpp>

/// regularized_incomplete_beta, in double, as a Loop. Sources: jax/_src/lax/special.py; DLMF 8.17.
namespace jax2onnx::lower {

/// The continued fraction of the incomplete beta function (DLMF 8.17.22, 8.17.23) by Lentz's algorithm, two terms in
/// each iteration.
inline value beta_fraction(const value& a, const value& b, const value& x) {
  graph& g = a.owner();
  constexpr double small = epsilon_f64 / 2;
  const auto not_tiny = [&](const value& v) { return where(less(abs(v), small), number_like(v, small), v); };
  const auto full = [&](double v) { return broadcast_to(number_like(a, v), a.dims()); };
  // c, d and h after the leading 0 and the first term, whose numerator and denominator are 1.
  const carried_values first{full(1 / small), full(1), full(1)};
  const auto term = [&](const value& numerator, const carried_values& v) {
    const value c = not_tiny(add(div(numerator, v[0].re()), 1));
    const value d = reciprocal(not_tiny(add(mul(numerator, v[1].re()), 1)));
    return carried_values{c, d, mul(v[2].re(), mul(c, d))};
  };
  const auto step = [&](const value& i, const carried_values& v) {
    const value m = cast(i, dtype::f64), m1 = add(m, 1), a2m = add(a, mul(m, 2));
    const value even = neg(div(mul(mul(add(a, m), add(add(a, b), m)), x), mul(a2m, add(a2m, 1))));
    const value odd = div(mul(mul(m1, sub(b, m1)), x), mul(add(a2m, 1), add(a2m, 2)));
    const carried_values next = term(odd, term(even, v));
    const value moving = greater_equal(abs(sub(mul(next[0].re(), next[1].re()), 1)), small);
    return loop_turn{next, any(moving)};
  };
  return repeat_while(g, scalar(g, dtype::i64, 300), first, step)[2].re();
}

inline value betainc(const value& a, const value& b, const value& x) {
  const value one = number_like(a, 1), zero = number_like(a, 0);
  const value a_gone = either(equal(a, 0), equal(b, infinity_f64)),
              b_gone = either(equal(b, 0), equal(a, infinity_f64));
  const value x0 = equal(x, 0), x1 = equal(x, 1);
  const value is_zero = either(both(b_gone, logical_not(x1)), both(a_gone, x0));
  const value is_one = either(both(a_gone, logical_not(x0)), both(b_gone, x1));
  const value inside =
      both(both(greater_equal(a, 0), greater_equal(b, 0)), both(greater_equal(x, 0), less_equal(x, 1)));
  const value wrong = either(logical_not(inside), both(a_gone, b_gone));
  const value rapid = less(x, div(add(a, 1), add(add(a, b), 2)));
  const value p = where(rapid, a, b), q = where(rapid, b, a), t = where(rapid, x, sub(one, x));
  const value tail = sub(mul(log1p(neg(t)), q), sub(lgamma(q), lgamma(add(p, q))));
  const value tiny = less(p, 2 * std::numeric_limits<double>::min());
  const value factor = where(tiny, exp(tail), div(exp(add(sub(mul(log(t), p), lgamma(p)), tail)), p));
  const value y = mul(beta_fraction(p, q, t), factor);
  const value whole = where(is_one, one, where(is_zero, zero, where(rapid, y, sub(one, y))));
  return where(wrong, number_like(a, nan_f64), whole);
}
inline jax_values regularized_incomplete_beta(const site& s) {
  return {cast(betainc(double_operand(s, 0), double_operand(s, 1), double_operand(s, 2)), s.out_dtype())};
}

inline constexpr lowering incomplete_beta_rows[] = {
    {"regularized_incomplete_beta", regularized_incomplete_beta, "Loop, in double", float_ternary},
};

}  // namespace jax2onnx::lower
