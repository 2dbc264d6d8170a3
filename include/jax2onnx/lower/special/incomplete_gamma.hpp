// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/special/convergence.hpp>
#include <jax2onnx/lower/special/gamma.hpp>

/// igamma, igammac, igamma_grad_a and random_gamma_grad, in double: a series for small x, otherwise a continued
/// fraction. Sources: jax/_src/lax/special.py; Cephes (igam.c).
namespace jax2onnx::lower {

/// The derivative to compute: `derivative` for igamma_grad_a, `sample_derivative` for random_gamma_grad.
enum class gamma_part : std::uint8_t { derivative, sample_derivative };

/// The relative error at which sums for results of type `t` end. For types below double, this error leaves a margin for
/// the remaining terms.
inline double gamma_precision(dtype t) { return t == dtype::f64 ? epsilon_f64 : 1e-10; }

/// The common factor exp(a log x - x - lgamma(a)); `enough` is true where this factor does not underflow.
struct gamma_front {
  value factor, enough;
  gamma_front(const value& a, const value& x) {
    const value exponent = sub(sub(mul(a, log(x)), x), lgamma(a));
    enough = greater_equal(exponent, -709.78271289338397);
    factor = exp(exponent);
  }
};

inline value full_like(const value& a, double v) { return broadcast_to(number_like(a, v), a.dims()); }
/// Returns a scalar: true if any element is greater than `precision`.
inline value any_above(const value& x, double precision) {
  return greater(reduce("ReduceMax", x, iota_axes(x.rank()), false), precision);
}

/// The sum 1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + …, four terms in each iteration; 1 where `enabled` is false.
inline value gamma_series(const value& order, const value& at, const value& enabled, double precision) {
  const value a = where(enabled, order, number_like(order, 1)), x = where(enabled, at, number_like(at, 0));
  const auto step = [&](const value&, const carried_values& carried) {
    value r = carried[0].re(), term = carried[1].re(), total = carried[2].re();
    for (int i = 0; i < 4; ++i) {
      r = add(r, 1);
      term = mul(term, div(x, r));
      total = add(total, term);
    }
    return loop_turn{{r, term, total}, any_above(div(term, total), precision)};
  };
  graph& g = a.owner();
  return repeat_while(g, scalar(g, dtype::i64, 2500), {a, full_like(a, 1), full_like(a, 1)}, step)[2].re();
}

/// The continued fraction of the upper function, 1 / (x + 1 - a + 1 (a - 1) / (x + 3 - a + 2 (a - 2) / …)), by the
/// ratios of the numerators, and of the denominators, of successive convergents (Lentz), two steps in each iteration.
/// All these numerators and denominators are positive for x >= a.
inline value gamma_fraction(const value& order, const value& at, const value& enabled, double precision) {
  const value one = number_like(order, 1), a = where(enabled, order, one), x = where(enabled, at, one);
  const value b0 = add(sub(x, a), 1), d0 = reciprocal(b0);
  const auto step = [&](const value&, const carried_values& carried) {
    value k = carried[0].re(), b = carried[1].re(), c = carried[2].re(), d = carried[3].re(), ans = carried[4].re(),
          ratio;
    for (int i = 0; i < 2; ++i) {
      k = add(k, 1);
      b = add(b, 2);
      const value numerator = mul(k, sub(a, k));
      c = add(b, div(numerator, c));
      d = reciprocal(add(b, mul(numerator, d)));
      ratio = mul(c, d);
      ans = mul(ans, ratio);
    }
    return loop_turn{{k, b, c, d, ans}, any_above(abs(sub(ratio, 1)), std::max(precision, 4 * epsilon_f64))};
  };
  graph& g = a.owner();
  const value none = number_like(a, 0);
  return repeat_while(g, scalar(g, dtype::i64, 1000), {none, b0, full_like(a, 1e300), d0, d0}, step)[4].re();
}

/// The derivative `part` by the series or by the fraction. One Loop computes the series or fraction and its derivative
/// with respect to a.
/// @{
inline value gamma_series_slope(const value& front, const value& a, const value& x, const value& enabled,
                                gamma_part part, double precision) {
  graph& g = a.owner();
  const value zero = full_like(a, 0), one = full_like(a, 1);
  const auto step = [&](const value&, const carried_values& carried) {
    const value on = cast(carried[0].re(), dtype::boolean), r = add(carried[1].re(), 1), c = carried[2].re();
    const value ratio = div(x, r), next = mul(c, ratio), ans = add(carried[3].re(), next);
    const value dc = sub(mul(carried[4].re(), ratio), div(mul(c, x), mul(r, r))), dans = add(carried[5].re(), dc);
    const value going = both(on, greater(abs(div(dc, dans)), precision));
    const auto advanced = [&](const value& v, std::size_t k) { return where(on, v, carried[k].re()); };
    return loop_turn{
        {cast(going, dtype::i32), r, advanced(next, 2), advanced(ans, 3), advanced(dc, 4), advanced(dans, 5)},
        any(going)};
  };
  const carried_values last =
      repeat_while(g, scalar(g, dtype::i64, 10000), {cast(enabled, dtype::i32), a, one, one, zero, zero}, step);
  const value inner = add(mul(last[3].re(), sub(log(x), digamma(add(a, 1)))), last[5].re());
  return part == gamma_part::derivative ? div(mul(front, inner), a) : neg(div(mul(inner, x), a));
}

/// Uses the recurrence of numerators p and denominators q.
inline value gamma_fraction_slope(const value& front, const value& a, const value& x, const value& enabled,
                                  gamma_part part, double precision) {
  graph& g = a.owner();
  const value y0 = sub(number_like(a, 1), a), z0 = add(add(x, y0), 1), zero = full_like(a, 0);
  const value p1 = add(x, 1), q1 = mul(z0, x), ans0 = div(p1, q1);
  // The loop-carried values: enabled, ans, y, z, p1, q1, p2, q2; dp1, dq1, dp2, dq2, dans.
  const carried_values first{cast(enabled, dtype::i32), ans0, y0,   z0,     p1,   q1,
                             full_like(a, 1),           x,    zero, neg(x), zero, zero,
                             div(mul(ans0, x), q1)};
  const auto step = [&](const value& i, const carried_values& v) {
    const auto at = [&](std::size_t k) { return v[k].re(); };
    const value on = cast(at(0), dtype::boolean), c = cast(add(i, 1), dtype::f64);
    const value y = add(at(2), 1), z = add(at(3), 2), yc = mul(y, c);
    const value p = sub(mul(at(4), z), mul(at(6), yc)), q = sub(mul(at(5), z), mul(at(7), yc));
    const value fine = logical_not(equal(q, 0)), ans = where(fine, div(p, q), at(1));
    const value dp = add(sub(sub(mul(at(8), z), at(4)), mul(at(10), yc)), mul(at(6), c));
    const value dq = add(sub(sub(mul(at(9), z), at(5)), mul(at(11), yc)), mul(at(7), c));
    const value dans = where(fine, div(sub(dp, mul(ans, dq)), q), at(12));
    const value change = where(fine, abs(sub(dans, at(12))), number_like(a, 1));
    std::vector<value> next{ans, y, z, p, q, at(4), at(5), dp, dq, at(8), at(9), dans};
    const value scale = where(greater(abs(p), 1 / epsilon_f64), number_like(a, epsilon_f64), number_like(a, 1));
    for (std::size_t k = 3; k < 11; ++k) next[k] = mul(next[k], scale);
    const value going = both(on, greater(change, precision));
    carried_values out{cast(going, dtype::i32)};
    for (std::size_t k = 0; k < next.size(); ++k) out.push_back(where(on, next[k], at(k + 1)));
    return loop_turn{out, any(going)};
  };
  const carried_values last = repeat_while(g, scalar(g, dtype::i64, 2000), first, step);
  const value inner = add(mul(last[1].re(), sub(log(x), digamma(a))), last[12].re());
  return part == gamma_part::derivative ? mul(front, inner) : neg(mul(inner, x));
}
/// @}

inline value out_of_domain(const value& a, const value& x) {
  const value nan = either(is_nan(a), is_nan(x)), zeros = both(equal(a, 0), equal(x, 0));
  return either(either(less(x, 0), less(a, 0)), either(zeros, nan));
}

/// The regularized lower (igamma) or upper (igammac) function. Before JAX 0.5, order 0 was outside of the domain of
/// both functions, and igammac was 1 if its order or x was 0 or negative.
inline value igamma(const value& a, const value& x, bool since_0_5, double precision = epsilon_f64) {
  const value wrong = since_0_5 ? out_of_domain(a, x) : either(equal(a, 0), out_of_domain(a, x));
  const value at_end = equal(x, infinity_f64), at_zero = equal(x, 0);
  const value upper = both(greater_equal(x, 1), greater(x, a));
  const gamma_front front(a, x);
  const value enabled = both(both(front.enough, logical_not(wrong)), logical_not(either(at_end, at_zero)));
  const value fraction = gamma_fraction(a, x, both(enabled, upper), precision);
  const value high = sub(number_like(a, 1), mul(fraction, front.factor));
  const value low = div(mul(gamma_series(a, x, both(enabled, logical_not(upper)), precision), front.factor), a);
  const value y = where(at_zero, number_like(a, 0), where(upper, high, low));
  return where(wrong, number_like(a, nan_f64), where(at_end, number_like(a, 1), y));
}
inline value igammac(const value& a, const value& x, bool since_0_5, double precision = epsilon_f64) {
  const value wrong = since_0_5 ? out_of_domain(a, x) : either(less_equal(x, 0), less_equal(a, 0));
  const value outside = number_like(a, since_0_5 ? nan_f64 : 1);
  const value vanishes = since_0_5 ? either(equal(x, infinity_f64), equal(a, 0)) : equal(x, infinity_f64);
  const value lower = either(less(x, 1), less(x, a));
  const gamma_front front(a, x);
  const value enabled = both(both(front.enough, logical_not(wrong)), logical_not(vanishes));
  const value series = gamma_series(a, x, both(enabled, lower), precision);
  const value low = sub(number_like(a, 1), div(mul(series, front.factor), a));
  const value high = mul(gamma_fraction(a, x, both(enabled, logical_not(lower)), precision), front.factor);
  return where(wrong, outside, where(vanishes, number_like(a, 0), where(lower, low, high)));
}
template <value (*F)(const value&, const value&, bool, double)>
jax_values incomplete_gamma(const site& s) {
  const dtype t = s.out_dtype();
  return {cast(F(double_operand(s, 0), double_operand(s, 1), s.since_0_5(), gamma_precision(t)), t)};
}

template <gamma_part Part>
value igamma_slope(const value& a, const value& x, double precision = epsilon_f64) {
  const value wrong = either(either(less(x, 0), less_equal(a, 0)), either(is_nan(a), is_nan(x))), at_zero = equal(x, 0);
  const value upper = both(greater(x, 1), greater(x, a));
  const gamma_front front(a, x);
  const value enabled = both(both(front.enough, logical_not(wrong)), logical_not(at_zero));
  const value high = neg(gamma_fraction_slope(front.factor, a, x, both(enabled, upper), Part, precision));
  const value low = gamma_series_slope(front.factor, a, x, both(enabled, logical_not(upper)), Part, precision);
  return where(wrong, number_like(a, nan_f64), where(at_zero, number_like(a, 0), where(upper, high, low)));
}

template <gamma_part Part>
jax_values incomplete_gamma_slope(const site& s) {
  const dtype t = s.out_dtype();
  return {cast(igamma_slope<Part>(double_operand(s, 0), double_operand(s, 1), gamma_precision(t)), t)};
}

inline constexpr lowering incomplete_gamma_rows[] = {
    {"igamma", incomplete_gamma<igamma>, "Loop, in double", float_binary},
    {"igamma_grad_a", incomplete_gamma_slope<gamma_part::derivative>, "Loop, in double", float_binary},
    {"igammac", incomplete_gamma<igammac>, "Loop, in double", float_binary},
    {"random_gamma_grad", incomplete_gamma_slope<gamma_part::sample_derivative>, "Loop, in double", float_binary},
};

}  // namespace jax2onnx::lower
