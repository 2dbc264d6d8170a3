#pragma once

#include <limits>
#include <span>

#include <jax2onnx/build/elementwise.hpp>

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

/// sum of c[n - k] T_k(x / 2), the constant term halved: Clenshaw's recurrence as Cephes writes it (chbevl).
inline value chebyshev(const value& x, std::span<const double> c) {
  value b0 = scalar(x.owner(), x.dtype(), c[0]), b1 = scalar(x.owner(), x.dtype(), 0.0), b2 = b1;
  for (std::size_t i = 1; i < c.size(); ++i) {
    b2 = b1;
    b1 = b0;
    const value shifted = i == 1 ? mul(x, b1) : sub(mul(x, b1), b2);
    b0 = add(shifted, c[i]);
  }
  return mul(sub(b0, b2), 0.5);
}

/// The magnitude of `x` with the sign of `like` where that is not zero.
inline value with_sign(const value& magnitude, const value& like) {
  return where(less(like, 0), neg(magnitude), magnitude);
}

/// exp(x) - 1 = tanh(x / 2) (exp(x) + 1): nothing cancels near zero.
inline value expm1(const value& x) { return mul(unary("Tanh", mul(x, 0.5)), add(exp(x), 1)); }

/// log(1 + x), with Kahan's correction of the rounding of 1 + x.
inline value log1p(const value& x) {
  const value u = add(x, 1);
  const double largest = x.dtype() == dtype::f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const value rounded = minimum(sub(u, 1), largest);  // not infinite: inf / inf is no number
  return where(equal(u, 1), x, mul(log(u), div(x, rounded)));
}

/// ONNX's Sinh for float; for double, (e + e / (e + 1)) / 2 with e = expm1(x), which nothing cancels in.
inline value sinh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Sinh", x);
  const value e = expm1(x), near = mul(add(e, div(e, add(e, 1))), 0.5);
  constexpr double log2 = 0.693147180559945309;
  const value far = sub(exp(sub(x, log2)), exp(neg(add(x, log2))));
  return where(less(abs(x), 1), near, far);
}
inline value cosh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Cosh", x);
  constexpr double log2 = 0.693147180559945309;
  return add(exp(sub(x, log2)), exp(neg(add(x, log2))));
}

/// The inverse of sinh: log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))), odd.
inline value asinh(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Asinh", x);
  const value a = abs(x), square = mul(a, a);
  const value y = log1p(add(a, div(square, add(sqrt(add(square, 1)), 1))));
  constexpr double log2 = 0.693147180559945309, large = 1e150;  // x^2 overflows beyond
  return with_sign(where(less(a, large), y, add(log(a), log2)), x);
}

/// ONNX's Atan for float; for double, Cephes' rational approximation with the argument reduced to |x| <= 0.66.
inline value atan(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Atan", x);
  constexpr double p[] = {-8.750608600031904122785e-1, -1.615753718733365076637e1, -7.500855792314704667340e1,
                          -1.228866684490136173410e2, -6.485021904942025371773e1};
  constexpr double q[] = {1, 2.485846490142306297962e1, 1.650270098316988542046e2, 4.328810604912902668951e2,
                          4.853903996359136964868e2, 1.945506571482613964425e2};
  constexpr double half_pi = 1.57079632679489661923, quarter_pi = half_pi / 2, tan_3pi_8 = 2.41421356237309504880;
  graph& g = x.owner();
  const auto number = [&](double v) { return scalar(g, dtype::f64, v); };
  const value a = abs(x), far = greater(a, tan_3pi_8), mid = greater(a, 0.66);
  const value t = where(far, neg(reciprocal(a)), where(mid, div(sub(a, 1), add(a, 1)), a));
  const value base = where(far, number(half_pi), where(mid, number(quarter_pi), number(0)));
  const value z = mul(t, t);
  const value y = add(add(mul(t, mul(z, div(polynomial(z, p), polynomial(z, q)))), t), base);
  return where(less(x, 0), neg(y), where(equal(x, 0), x, y));
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
