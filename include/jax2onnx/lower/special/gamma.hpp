#pragma once

#include <array>
#include <limits>
#include <span>

#include <jax2onnx/lower/special/erf.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/math.hpp>

/// The gamma function and its derivatives, in double. Sources: Lanczos, A precision approximation of the gamma function
/// (g = 7, nine terms); Euler and Maclaurin's summation for Hurwitz' zeta function.
namespace jax2onnx::lower {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN(),
                 infinite = std::numeric_limits<double>::infinity();
constexpr double pi_number = 3.14159265358979323846;

/// `f` of the operands in double, broadcast to the result's shape.
template <value (*F)(const value&)>
jax_values double1(const site& s) {
  return {cast(F(cast(s.in(0), dtype::f64)), s.out_dtype())};
}
inline value double_operand(const site& s, std::size_t i) {
  return broadcast_to(cast(s.in(i), dtype::f64), s.out_dims());
}
template <value (*F)(const value&, const value&)>
jax_values double2(const site& s) {
  return {cast(F(double_operand(s, 0), double_operand(s, 1)), s.out_dtype())};
}

/// first, first + 1, … first + count - 1 on a new last axis, added to x.
inline value shifted(const value& x, int first, int count) {
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(first + i);
  return add(unsqueeze(x, {x.rank()}), array(x.owner(), x.dtype(), {count}, std::span<const std::int64_t>(numbers)));
}
inline value sum_last(const value& x) { return reduce("ReduceSum", x, {x.rank() - 1}); }

/// Lanczos' sum and its derivative at z >= -1/2, and log(z + 7.5).
struct lanczos {
  value sum, slope, log_t;
  explicit lanczos(const value& z) {
    constexpr std::array<double, 8> c{676.520368121885098567009190444019, -1259.13921672240287047156078755283,
                                      771.3234287776530788486528258894,   -176.61502916214059906584551354,
                                      12.507343278686904814458936853,     -0.13857109526572011689554707,
                                      9.984369578019570859563e-6,         1.50563273514931155834e-7};
    const value steps = shifted(z, 1, 8),
                terms = div(array(z.owner(), dtype::f64, {8}, std::span<const double>(c)), steps);
    sum = add(sum_last(terms), 0.99999999999980993227684700473478);
    slope = neg(sum_last(div(terms, steps)));
    log_t = log(add(z, 7.5));
  }
};

/// Where x < 1/2 the reflection formula is used, with -x in place of x - 1.
inline value reflected_argument(const value& reflect, const value& x) { return where(reflect, neg(x), sub(x, 1)); }

/// log |gamma(x)|
inline value lgamma(const value& x) {  // past double's range from 2.6e305 on
  const value reflect = less(x, 0.5), z = reflected_argument(reflect, x);
  const lanczos l(z);
  constexpr double log_sqrt_two_pi = 0.918938533204672741780;
  const value t = add(z, 7.5);
  const value main = add(add(sub(mul(add(z, 0.5), l.log_t), t), log(l.sum)), log_sqrt_two_pi);
  const value size = abs(x), fraction = sub(size, floor(size));
  const value sine = unary("Sin", mul(minimum(fraction, sub(number_like(x, 1), fraction)), pi_number));
  const value low = sub(log(div(number_like(x, pi_number), sine)), main);
  const value y = where(reflect, low, main);
  return where(greater(abs(x), 2.6e305), number_like(x, infinite), y);
}

/// The derivative of lgamma; no number at its poles.
inline value digamma(const value& x) {
  const value reflect = less(x, 0.5), z = reflected_argument(reflect, x);
  const lanczos l(z);
  const value main = sub(add(l.log_t, div(l.slope, l.sum)), div(number_like(x, 7), add(z, 7.5)));
  const value reduced = mul(add(x, abs(floor(add(x, 0.5)))), pi_number);
  const value cotangent = div(mul(unary("Cos", reduced), pi_number), unary("Sin", reduced));
  const value pole = logical_and(less_equal(x, 0), equal(x, floor(x)));
  return where(pole, number_like(x, no_number), where(reflect, sub(main, cotangent), main));
}

inline value power_of(const value& base, const value& exponent) { return binary("Pow", base, exponent); }

/// Hurwitz' zeta(x, q): 24 terms, the rest of the sum as an integral with seven corrections.
inline value zeta(const value& x, const value& q) {
  constexpr int terms = 24;
  const value first = sum_last(power_of(shifted(q, 0, terms), unsqueeze(neg(x), {x.rank()})));
  const value a = add(q, terms), power = power_of(a, neg(x));
  // B(2 j) / (2 j)!, from j = 7 down to 1
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
  const value nan = number_like(x, no_number), inf = number_like(x, infinite), half = mul(x, 0.5);
  const value even = equal(sub(half, floor(half)), 0), fractional = logical_not(equal(x, floor(x))),
              pole = less_equal(q, 0);
  const value undefined =
      logical_or(logical_or(less(x, 1), equal(maximum(x, abs(q)), infinite)), logical_and(pole, fractional));
  const value at_poles =
      where(logical_and(pole, equal(q, floor(q))), where(even, inf, nan), where(undefined, nan, whole));
  return where(equal(x, 1), inf, at_poles);
}

/// (-1)^(n + 1) n! zeta(n + 1, x); digamma for n = 0.
inline value polygamma(const value& n, const value& x) {
  const value n1 = add(n, 1);
  const value half = mul(n, 0.5);
  const value sign = where(equal(half, floor(half)), number_like(n, -1), number_like(n, 1));
  const value y = mul(mul(sign, exp(lgamma(n1))), zeta(n1, x));
  const value outside = logical_or(less(n, 0), logical_not(equal(n, floor(n))));
  return where(equal(n, 0), digamma(x), where(outside, number_like(n, no_number), y));
}

inline constexpr lowering gamma_rows[] = {
    {"digamma", double1<digamma>, "composed in double"},
    {"lgamma", double1<lgamma>, "composed in double"},
    {"polygamma", double2<polygamma>, "composed in double"},
    {"zeta", double2<zeta>, "composed in double"},
};

}  // namespace jax2onnx::lower
