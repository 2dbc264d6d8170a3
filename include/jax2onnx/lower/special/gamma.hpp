// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/special/erf.hpp>
#include <jax2onnx/lower/special/in_double.hpp>

/// lgamma and digamma, in double.
/// Source: Lanczos, "A precision approximation of the gamma function" (g = 7, nine terms).
namespace jax2onnx::lower {

inline constexpr double pi = 3.14159265358979323846;

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

/// The argument z of Lanczos' formula: x - 1, or -x if the reflection formula is used (for x < 1/2).
inline value reflected_argument(const value& reflect, const value& x) { return where(reflect, neg(x), sub(x, 1)); }

/// log |gamma(x)|
inline value lgamma(const value& x) {
  const value reflect = less(x, 0.5), z = reflected_argument(reflect, x);
  const lanczos l(z);
  constexpr double log_sqrt_two_pi = 0.918938533204672741780;
  const value t = add(z, 7.5);
  const value main = add(add(sub(mul(add(z, 0.5), l.log_t), t), log(l.sum)), log_sqrt_two_pi);
  const value size = abs(x), fraction = sub(size, floor(size));
  const value sine = unary("Sin", mul(minimum(fraction, sub(number_like(x, 1), fraction)), pi));
  const value low = sub(log(div(number_like(x, pi), sine)), main);
  const value y = where(reflect, low, main);
  return where(greater(abs(x), 2.6e305), number_like(x, infinity_f64), y);  // overflows above 2.6e305
}

/// The derivative of lgamma; NaN at its poles.
inline value digamma(const value& x) {
  const value reflect = less(x, 0.5), z = reflected_argument(reflect, x);
  const lanczos l(z);
  const value main = sub(add(l.log_t, div(l.slope, l.sum)), div(number_like(x, 7), add(z, 7.5)));
  const value reduced = mul(add(x, abs(floor(add(x, 0.5)))), pi);
  const value cotangent = div(mul(unary("Cos", reduced), pi), unary("Sin", reduced));
  const value pole = logical_and(less_equal(x, 0), equal(x, floor(x)));
  return where(pole, number_like(x, nan_f64), where(reflect, sub(main, cotangent), main));
}

/// The value of digamma at 0 and -0.
inline value digamma_of_zero(const site& s) {
  return scalar(s.g, dtype::f64, s.since_0_11_2() ? -infinity_f64 : nan_f64);
}
inline jax_values digamma_primitive(const site& s) {
  const value x = cast(s.in(0), dtype::f64);
  return {cast(where(equal(x, 0), digamma_of_zero(s), digamma(x)), s.out_dtype())};
}

inline constexpr lowering gamma_rows[] = {
    {"digamma", digamma_primitive, "composed in double", float_unary},
    {"lgamma", double1<lgamma>, "composed in double", float_unary},
};

}  // namespace jax2onnx::lower
