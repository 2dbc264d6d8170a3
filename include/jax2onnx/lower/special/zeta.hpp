// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/special/gamma.hpp>

/// Hurwitz' zeta function and polygamma, in double. Source: DLMF 25.11 and 5.15.
namespace jax2onnx::lower {

inline value power_of(const value& base, const value& exponent) { return binary("Pow", base, exponent); }

/// zeta(x, q), the sum of (q + k)^-x over k >= 0. Adds 24 terms, and the remaining terms as an integral with seven
/// corrections (Euler and Maclaurin).
inline value zeta(const value& x, const value& q) {
  constexpr int terms = 24;
  const value first = sum_last(power_of(shifted(q, 0, terms), unsqueeze(neg(x), {x.rank()})));
  const value a = add(q, terms), power = power_of(a, neg(x));
  // B(2 j) / (2 j)! for j = 7 down to 1
  constexpr double b[] = {1.3382536530684678832e-11, -5.2841901386874931848e-10, 2.0876756987868098979e-8,
                          -8.2671957671957671957e-7, 3.3068783068783068783e-5,   -1.3888888888888888889e-3,
                          8.3333333333333333333e-2};
  const value inverse_square = reciprocal(mul(a, a));
  value rest = number_like(x, b[0]);
  for (int j = 6; j >= 1; --j) {
    const value rising = mul(add(x, 2 * j - 1), add(x, 2 * j));
    rest = add(mul(mul(rising, inverse_square), rest), b[7 - j]);
  }
  const value correction = add(div(mul(x, rest), a), 0.5);
  const value tail = mul(power, add(div(a, sub(x, 1)), correction));
  const value whole = add(first, where(equal(power, 0), power, tail));
  const value nan = number_like(x, nan_f64), inf = number_like(x, infinity_f64), half = mul(x, 0.5);
  const value even = equal(sub(half, floor(half)), 0), fractional = logical_not(equal(x, floor(x))),
              pole = less_equal(q, 0);
  const value undefined =
      logical_or(logical_or(less(x, 1), equal(maximum(x, abs(q)), infinity_f64)), logical_and(pole, fractional));
  const value at_poles =
      where(logical_and(pole, equal(q, floor(q))), where(even, inf, nan), where(undefined, nan, whole));
  return where(equal(x, 1), inf, at_poles);
}

/// (-1)^(n + 1) n! zeta(n + 1, x); digamma(x) for n = 0. NaN if n is negative or not an integer.
inline value polygamma(const value& n, const value& x) {
  const value n1 = add(n, 1);
  const value half = mul(n, 0.5);
  const value sign = where(equal(half, floor(half)), number_like(n, -1), number_like(n, 1));
  const value y = mul(mul(sign, exp(lgamma(n1))), zeta(n1, x));
  const value outside = logical_or(less(n, 0), logical_not(equal(n, floor(n))));
  return where(equal(n, 0), digamma(x), where(outside, number_like(n, nan_f64), y));
}

inline jax_values polygamma_primitive(const site& s) {
  const value n = double_operand(s, 0), x = double_operand(s, 1);
  const value pole = logical_and(equal(n, 0), equal(x, 0)), y = polygamma(n, x);
  return {cast(where(pole, digamma_of_zero(s), y), s.out_dtype())};
}

inline constexpr lowering zeta_rows[] = {
    {"polygamma", polygamma_primitive, "composed in double", float_binary},
    {"zeta", double2<zeta>, "composed in double", float_binary},
};

}  // namespace jax2onnx::lower
