// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/ops/math.hpp>

/// Trigonometric and hyperbolic functions and their inverses: ONNX's operators for float, formulas for double, for
/// which runtimes lack kernels.
namespace jax2onnx::ops::accurate {

/// ONNX's Cosh for float; for double, e^(x - log 2) + e^-(x + log 2), which overflows no earlier than the result.
inline value cosh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Cosh", x);
  constexpr double log2 = 0.693147180559945309;
  return add(exp(sub(x, log2)), exp(neg(add(x, log2))));
}
/// ONNX's Sinh for float; for double, tanh(x) cosh(x), which is accurate for small x.
inline value sinh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Sinh", x);
  return mul(unary("Tanh", x), accurate::cosh(x));
}

/// The inverse of sinh, which is odd: log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))) with the sign of x.
inline value asinh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Asinh", x);
  const value a = abs(x), square = mul(a, a);
  const value y = log1p(add(a, div(square, add(sqrt(add(square, 1)), 1))));
  constexpr double log2 = 0.693147180559945309, large = 1e150;  // x^2 overflows beyond `large`
  return mul(accurate::sign(x), where(less(a, large), y, add(log(a), log2)));
}

/// ONNX's Atan for float. For double, the result y in float is corrected by the tangent of its error, (sin y - x cos y)
/// / (cos y + x sin y). This tangent is so small that it equals the error.
inline value atan(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Atan", x);
  constexpr double large = 1e300;  // the correction of infinity would be NaN
  const value t = clip(x, scalar(x.owner(), dtype::f64, -large), scalar(x.owner(), dtype::f64, large));
  const value y = cast(unary("Atan", cast(t, dtype::f32)), dtype::f64);
  const value sine = unary("Sin", y), cosine = unary("Cos", y);
  return sub(y, div(sub(sine, mul(t, cosine)), add(cosine, mul(t, sine))));
}

/// True if the sign bit of x is set, also for zeros; false for NaN.
inline value sign_bit(const value& x) { return logical_or(less(x, 0), less(reciprocal(x), 0)); }
/// True if the sign bit of x is clear, also for zeros; false for NaN.
inline value is_positive(const value& x) { return logical_or(greater(x, 0), greater(reciprocal(x), 0)); }

/// The angle of the point (x, y), with C's rules for zeros and infinities.
inline value atan2(const value& y, const value& x) {
  const value ax = abs(x), ay = abs(y);
  const value ratio = where(equal(ax, ay), where(equal(ax, 0), ax, scalar(x.owner(), x.dtype(), 1)), div(ay, ax));
  const value a = accurate::atan(ratio);
  constexpr double pi = 3.14159265358979323846;
  const value angle = where(sign_bit(x), sub(scalar(x.owner(), x.dtype(), pi), a), a);
  return where(is_positive(y), angle, neg(angle));  // ONNX Runtime's Where keeps -0 only in its last operand
}

/// The tangent of x radians: ONNX's Tan for float, sine by cosine for double.
inline value tan(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Tan", x);
  return div(unary("Sin", x), unary("Cos", x));
}

/// asin x = 2 atan(x / (1 + sqrt(1 - x^2)))
inline value asin(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Asin", x);
  const value cosine = sqrt(mul(sub(scalar(x.owner(), x.dtype(), 1), x), add(x, 1)));
  return mul(accurate::atan(div(x, add(cosine, 1))), 2);
}

/// acos x = 2 atan sqrt((1 - x) / (1 + x))
inline value acos(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Acos", x);
  return mul(accurate::atan(sqrt(div(sub(scalar(x.owner(), x.dtype(), 1), x), add(x, 1)))), 2);
}

/// acosh x = log1p(t + sqrt(t) sqrt(t + 2)) with t = x - 1
inline value acosh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Acosh", x);
  constexpr double log2 = 0.693147180559945309, large = 1e150;
  const value t = sub(x, 1);
  const value near = log1p(add(t, mul(sqrt(t), sqrt(add(t, 2)))));
  return where(less(x, large), near, add(log(x), log2));
}

/// The inverse of tanh, which is odd: log1p(2 x / (1 - x)) / 2 for x >= 0.
inline value atanh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Atanh", x);
  const value a = abs(x);
  return mul(accurate::sign(x), mul(log1p(div(mul(a, 2), sub(scalar(x.owner(), x.dtype(), 1), a))), 0.5));
}

}  // namespace jax2onnx::ops::accurate
