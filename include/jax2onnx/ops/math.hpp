// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>

#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/shape.hpp>

/// Real functions that are missing from ONNX, or from some of its floating-point types, built from operators such as
/// Add, Mul, Exp, Log and Tanh. They are accurate to a few units in the last place of float and double.
namespace jax2onnx::ops {

/// c[0] x^n + c[1] x^(n-1) + … + c[n], by Horner's rule.
inline value polynomial(const value& x, std::span<const double> c) {
  if (c.size() == 1) return scalar(x.owner(), x.dtype(), c[0]);
  value y = c[0] == 1 ? x : mul(x, c[0]);
  for (std::size_t i = 1; i + 1 < c.size(); ++i) y = mul(add(y, c[i]), x);
  return add(y, c.back());
}

/// `magnitude`, negated where `like` is negative. A `like` of -0 does not negate: see `sign`.
inline value with_sign(const value& magnitude, const value& like) {
  return where(less(like, 0), neg(magnitude), magnitude);
}

namespace accurate {

/// -1, 1, or x itself if x is a zero or NaN. A subnormal x may give a number between -1 and 1. Floating-point numbers
/// are scaled up and clipped: ONNX Runtime's Sign drops the sign of -0, and its Sign of int64 is wrong for some numbers
/// from 2^31 on.
inline value sign(const value& x) {
  if (is_integer(x.dtype()) && bits(x.dtype()) == 64) return cast(unary("Sign", cast(x, dtype::f64)), x.dtype());
  if (!is_floating(x.dtype())) return unary("Sign", x);
  const auto number = [&](double n) { return scalar(x.owner(), x.dtype(), n); };
  return clip(mul(x, largest_finite(x.dtype())), number(-1), number(1));
}

}  // namespace accurate

/// exp(x) - 1 = tanh(x / 2) (exp(x) + 1): nothing cancels near zero.
inline value expm1(const value& x) { return mul(unary("Tanh", mul(x, 0.5)), add(exp(x), 1)); }

/// log(1 + x), with Kahan's correction of the rounding of u = 1 + x: log(u) x / (u - 1), or x if u is 1. The result is
/// a product of selected factors, since a Where that selects the whole result would lose -0 in ONNX Runtime.
inline value log1p(const value& x) {
  const value u = add(x, 1), one = scalar(x.owner(), x.dtype(), 1), tiny = equal(u, 1);
  const double largest =
      x.dtype() == dtype::f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const value rounded = minimum(sub(u, 1), largest);  // finite, since inf / inf is NaN
  return mul(where(tiny, one, log(u)), div(x, where(tiny, one, rounded)));
}

/// sqrt(x^2 + y^2), without overflow or underflow of intermediate results.
inline value hypot(const value& x, const value& y) {
  if (x.dtype() == dtype::f32) {
    const value a = cast(x, dtype::f64), b = cast(y, dtype::f64);
    return cast(sqrt(add(mul(a, a), mul(b, b))), dtype::f32);
  }
  const value a = abs(x), b = abs(y), large = maximum(a, b), small = minimum(a, b);
  const value ratio = where(equal(large, small), scalar(x.owner(), x.dtype(), 1), div(small, large));
  return mul(large, sqrt(add(mul(ratio, ratio), 1)));
}

/// x to the power y. The result has x's dtype; y may have a different dtype.
inline value pow(const value& x, const value& y) {
  return x.owner().emit("Pow", {x, y},
                        {x.dtype(), detail::checked("Pow", infer::broadcast(x.dims(), y.dims()), {x, y})});
}
/// x to the power y. The number y gets x's dtype.
template <arithmetic Number>
value pow(const value& x, Number y) {
  return pow(x, scalar(x.owner(), x.dtype(), y));
}

/// 2^x
inline value exp2(const value& x) { return pow(scalar(x.owner(), x.dtype(), 2), x); }

/// x * x
inline value square(const value& x) { return mul(x, x); }
/// 1 / sqrt(x)
inline value rsqrt(const value& x) { return reciprocal(sqrt(x)); }

/// The real cube root, sign(x) |x|^(1/3).
inline value cbrt(const value& x) { return mul(accurate::sign(x), pow(abs(x), 1.0 / 3.0)); }

/// x to a constant power, by repeated squaring; x^0 is 1.
inline value power_by_squaring(const value& x, std::uint64_t n) {
  if (n == 0) return filled(x.owner(), x.dtype(), x.dims(), 1);
  value base = x, product;
  for (; n; n >>= 1) {
    if (n & 1) product = product ? mul(product, base) : base;
    if (n > 1) base = mul(base, base);
  }
  return product;
}

}  // namespace jax2onnx::ops
