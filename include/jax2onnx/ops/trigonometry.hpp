#pragma once

#include <jax2onnx/ops/math.hpp>

/// Trigonometric functions and their inverses: ONNX's operators for float, formulas for double.
namespace jax2onnx {

/// Tan, of radians.
inline value tan(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Tan", x);
  return div(unary("Sin", x), unary("Cos", x));
}

/// asin x = 2 atan(x / (1 + sqrt(1 - x^2)))
inline value asin(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Asin", x);
  const value cosine = sqrt(mul(sub(scalar(x.owner(), x.dtype(), 1), x), add(x, 1)));
  return mul(atan(div(x, add(cosine, 1))), 2);
}

/// acos x = 2 atan sqrt((1 - x) / (1 + x))
inline value acos(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Acos", x);
  return mul(atan(sqrt(div(sub(scalar(x.owner(), x.dtype(), 1), x), add(x, 1)))), 2);
}

/// acosh x = log1p(t + sqrt(t) sqrt(t + 2)) with t = x - 1
inline value acosh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Acosh", x);
  constexpr double log2 = 0.693147180559945309, large = 1e150;
  const value t = sub(x, 1);
  const value near = log1p(add(t, mul(sqrt(t), sqrt(add(t, 2)))));
  return where(less(x, large), near, add(log(x), log2));
}

/// atanh x = log1p(2 x / (1 - x)) / 2 for x >= 0, odd
inline value atanh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Atanh", x);
  const value a = abs(x);
  return with_sign(mul(log1p(div(mul(a, 2), sub(scalar(x.owner(), x.dtype(), 1), a))), 0.5), x);
}

}  // namespace jax2onnx
