#pragma once

#include <limits>
#include <span>

#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Real functions that ONNX has not, or not for every floating-point type, from Add, Mul, Exp, Log, Tanh and the like.
/// They are exact to a few units in the last place of float and double.
namespace jax2onnx {

/// c[0] x^n + c[1] x^(n-1) + … + c[n], by Horner's rule.
inline value polynomial(const value& x, std::span<const double> c) {
  if (c.size() == 1) return scalar(x.owner(), x.dtype(), c[0]);
  value y = c[0] == 1 ? x : mul(x, c[0]);
  for (std::size_t i = 1; i + 1 < c.size(); ++i) y = mul(add(y, c[i]), x);
  return add(y, c.back());
}

/// The magnitude of `x` with the sign of `like` where that is not zero.
inline value with_sign(const value& magnitude, const value& like) {
  return where(less(like, 0), neg(magnitude), magnitude);
}

/// exp(x) - 1 = tanh(x / 2) (exp(x) + 1): nothing cancels near zero.
inline value expm1(const value& x) { return mul(unary("Tanh", mul(x, 0.5)), add(exp(x), 1)); }

/// log(1 + x), with Kahan's correction of the rounding of 1 + x: log u times x / (u - 1), and 1 times x / 1 where u is
/// 1. So -0 stays -0, which it would not where a Where selects it: ONNX Runtime's drops the sign.
inline value log1p(const value& x) {
  const value u = add(x, 1), one = scalar(x.owner(), x.dtype(), 1), tiny = equal(u, 1);
  const double largest =
      x.dtype() == dtype::f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const value rounded = minimum(sub(u, 1), largest);  // not infinite: inf / inf is no number
  return mul(where(tiny, one, log(u)), div(x, where(tiny, one, rounded)));
}

/// ONNX's Cosh for float; for double, e^(x - log 2) + e^-(x + log 2), which overflows no earlier than the result.
inline value cosh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Cosh", x);
  constexpr double log2 = 0.693147180559945309;
  return add(exp(sub(x, log2)), exp(neg(add(x, log2))));
}
/// ONNX's Sinh for float; for double, tanh(x) cosh(x), which keeps small numbers.
inline value sinh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Sinh", x);
  return mul(unary("Tanh", x), cosh(x));
}

/// The inverse of sinh: log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))), odd.
inline value asinh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Asinh", x);
  const value a = abs(x), square = mul(a, a);
  const value y = log1p(add(a, div(square, add(sqrt(add(square, 1)), 1))));
  constexpr double log2 = 0.693147180559945309, large = 1e150;  // x^2 overflows beyond
  return with_sign(where(less(a, large), y, add(log(a), log2)), x);
}

/// ONNX's Atan for float; for double, the float's result y corrected by the tangent of what is missing,
/// (x cos y - sin y) / (cos y + x sin y), which is so small that it is its own arc tangent.
inline value atan(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Atan", x);
  constexpr double large = 1e300;  // infinity has no tangent to correct
  const value t = clip(x, scalar(x.owner(), dtype::f64, -large), scalar(x.owner(), dtype::f64, large));
  const value y = cast(unary("Atan", cast(t, dtype::f32)), dtype::f64);
  const value sine = unary("Sin", y), cosine = unary("Cos", y);
  return add(y, div(sub(mul(t, cosine), sine), add(cosine, mul(t, sine))));
}

/// The sign bit of x, of zeros too.
inline value sign_bit(const value& x) { return logical_or(less(x, 0), less(reciprocal(x), 0)); }

/// The angle of the point (x, y), with C's rules for zeros and infinities.
inline value atan2(const value& y, const value& x) {
  const value ax = abs(x), ay = abs(y);
  const value ratio = where(equal(ax, ay), where(equal(ax, 0), ax, scalar(x.owner(), x.dtype(), 1)), div(ay, ax));
  const value a = atan(ratio);
  constexpr double pi = 3.14159265358979323846;
  const value angle = where(sign_bit(x), sub(scalar(x.owner(), x.dtype(), pi), a), a);
  return where(sign_bit(y), neg(angle), angle);
}

/// sqrt(x^2 + y^2) without overflow or underflow on the way.
inline value hypot(const value& x, const value& y) {
  if (x.dtype() == dtype::f32) {
    const value a = cast(x, dtype::f64), b = cast(y, dtype::f64);
    return cast(sqrt(add(mul(a, a), mul(b, b))), dtype::f32);
  }
  const value a = abs(x), b = abs(y), large = maximum(a, b), small = minimum(a, b);
  const value ratio = where(equal(large, small), scalar(x.owner(), x.dtype(), 1), div(small, large));
  return mul(large, sqrt(add(mul(ratio, ratio), 1)));
}

}  // namespace jax2onnx
