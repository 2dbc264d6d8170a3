// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <jax2onnx/lower/complex/arithmetic.hpp>

/// Elementary functions of complex numbers, by the formulas that are stable in floating point.
/// Source of the inverse functions: Kahan, "Branch cuts for complex elementary functions".
namespace jax2onnx::lower::cx {

// The verbs on real numbers.
using ops::exp;
using ops::exp2;
using ops::expm1;
using ops::log;
using ops::log1p;
using ops::pow;
using ops::rsqrt;
using ops::sqrt;

/// The root with a nonnegative real part. For a negative real z = x, the root is i sqrt(-x), as in XLA, even if the
/// imaginary part of z is -0. If the imaginary part is infinite, both parts of the root are infinite.
inline jax_value sqrt(const jax_value& z) {
  const value& x = z.re();
  const value& y = z.im();
  const value larger = sqrt(mul(add(hypot(x, y), abs(x)), 0.5));
  const value zero = equal(larger, 0);
  const value smaller = where(zero, larger, div(y, mul(larger, 2)));
  const value left = less(x, 0);  // ONNX Runtime's Where keeps the sign of -0 only in its last operand
  const value is_infinite = equal(abs(y), INFINITY);
  return jax_value(where(is_infinite, abs(y), where(left, abs(smaller), larger)),
                   where(is_infinite, y, where(left, with_sign(larger, y), smaller)));
}

inline jax_value exp(const jax_value& z) {
  // Computes exp(x / 2) cos(y) exp(x / 2), since exp(x) may overflow even if exp(x) cos(y) does not.
  const value half = exp(mul(z.re(), 0.5));
  const auto part = [&](operator_name op) { return mul(mul(half, unary(op, z.im())), half); };
  return jax_value(part("Cos"), where(equal(z.im(), 0), z.im(), part("Sin")));
}

/// exp(z) - 1, with the real part expm1(x) cos(y) - 2 sin(y / 2)^2.
inline jax_value expm1(const jax_value& z) {
  const value s = unary("Sin", mul(z.im(), 0.5));
  const value re = sub(mul(expm1(z.re()), unary("Cos", z.im())), mul(mul(s, s), 2));
  const value im = mul(exp(z.re()), unary("Sin", z.im()));
  return jax_value(re, where(equal(z.im(), 0), z.im(), im));
}

/// log|z|. For float, the result is log(x^2 + y^2) / 2 in double, which is accurate near |z| = 1. For double, let m be
/// the larger and n the smaller of |x| and |y|: the result is log(m) + log1p((n / m)^2) / 2.
inline value log_modulus(const jax_value& z) {
  const value a = abs(z.re()), b = abs(z.im());
  if (a.dtype() == dtype::f32) {
    const value square = norm(each_part(z, [](const value& v) { return cast(v, dtype::f64); }));
    return cast(mul(log(square), 0.5), dtype::f32);
  }
  const value large = maximum(a, b), one = scalar(a.owner(), a.dtype(), 1);
  const value ratio = where(equal(a, b), one, div(minimum(a, b), large));
  const value rest = log1p(mul(ratio, ratio));
  return add(log(large), mul(rest, 0.5));
}

inline jax_value log(const jax_value& z) { return jax_value(log_modulus(z), accurate::atan2(z.im(), z.re())); }

inline jax_value log2(const jax_value& z) {
  return scale(log(z), scalar(z.re().owner(), part_dtype(z), 1.4426950408889634));
}

/// log(1 + z). If |1 + z|^2 is near 1, log|1 + z| is log1p(x (2 + x) + y^2) / 2, which keeps the digits of a small z.
inline jax_value log1p(const jax_value& z) {
  const value x1 = add(z.re(), 1);
  const value excess = add(mul(z.re(), add(z.re(), 2)), mul(z.im(), z.im()));
  const value near = mul(log1p(excess), 0.5), far = log_modulus({x1, z.im()});
  return jax_value(where(less(abs(excess), 0.5), near, far), accurate::atan2(z.im(), x1));
}

/// The factors of complex sin, cos, sinh and cosh.
struct trigonometric_factors {
  value sine, cosine, hyperbolic_sine, hyperbolic_cosine;
  trigonometric_factors(const value& angle, const value& x)
      : sine(unary("Sin", angle)),
        cosine(unary("Cos", angle)),
        hyperbolic_sine(accurate::sinh(x)),
        hyperbolic_cosine(accurate::cosh(x)) {}
};
/// v, or x where x is zero, so that 0 times infinity gives a zero with the sign of x.
inline value zero_with(const value& x, const value& v) { return where(equal(x, 0), x, v); }
/// v, or 0 where x is zero.
inline value zero_at(const value& x, const value& v) { return where(equal(x, 0), scalar(x.owner(), x.dtype(), 0), v); }

inline jax_value sin(const jax_value& z) {
  const trigonometric_factors f(z.re(), z.im());
  return jax_value(zero_at(z.re(), mul(f.sine, f.hyperbolic_cosine)), mul(f.cosine, f.hyperbolic_sine));
}
inline jax_value cos(const jax_value& z) {
  const trigonometric_factors f(z.re(), z.im());
  return jax_value(mul(f.cosine, f.hyperbolic_cosine), zero_at(z.re(), neg(mul(f.sine, f.hyperbolic_sine))));
}
inline jax_value sinh(const jax_value& z) {
  const trigonometric_factors f(z.im(), z.re());
  return jax_value(mul(f.hyperbolic_sine, f.cosine), zero_with(z.im(), mul(f.hyperbolic_cosine, f.sine)));
}
inline jax_value cosh(const jax_value& z) {
  const trigonometric_factors f(z.im(), z.re());
  return jax_value(mul(f.hyperbolic_cosine, f.cosine), zero_with(z.im(), mul(f.hyperbolic_sine, f.sine)));
}

/// (t + i s c q) / (c^2 + t^2 s^2) where t = tanh x, q = 1 / cosh(x)^2, s = sin y and c = cos y, none of which
/// overflows. The limit for an infinite x is t, whatever y is.
inline jax_value tanh(const jax_value& z) {
  const value t = unary("Tanh", z.re()), s = unary("Sin", z.im()), c = unary("Cos", z.im());
  const value e = exp(mul(abs(z.re()), -2)), e1 = add(e, 1);
  const value q = div(mul(e, 4), mul(e1, e1));
  const value ts = mul(t, s);
  const value d = add(mul(c, c), mul(ts, ts));
  const value is_infinite = equal(abs(z.re()), INFINITY);
  const value limit = where(equal(mul(s, 0), 0), mul(mul(s, c), 0), scalar(t.owner(), t.dtype(), 0));
  const value height = where(is_infinite, limit, div(mul(mul(s, c), q), d));
  return jax_value(where(is_infinite, t, div(t, d)), zero_at(z.im(), height));
}

/// i z
inline jax_value times_i(const jax_value& z) { return jax_value(neg(z.im()), z.re()); }
/// -i z
inline jax_value over_i(const jax_value& z) { return jax_value(z.im(), neg(z.re())); }
inline jax_value tan(const jax_value& z) { return over_i(tanh(times_i(z))); }

/// The real parts of asin(z) and acos(z), and the imaginary part of asin(z), for z = x + i |y|, from sqrt(1 - z) and
/// sqrt(1 + z) (Kahan). If a part of z is infinite, the real parts follow from the quadrant, and the imaginary part is
/// infinite.
struct arcs {
  value asin, acos, height;
  explicit arcs(const jax_value& z) {
    const value& x = z.re();
    const value y = abs(z.im());
    const value one = scalar(x.owner(), x.dtype(), 1);
    const jax_value minus = sqrt({sub(one, x), y}), plus = sqrt({add(one, x), y});
    const value is_infinite = logical_or(equal(abs(x), INFINITY), equal(y, INFINITY));
    const value inside = add(mul(minus.re(), plus.re()), mul(minus.im(), plus.im()));
    asin = accurate::atan2(x, where(is_infinite, y, inside));
    acos = where(is_infinite, accurate::atan2(y, x), mul(accurate::atan2(minus.re(), plus.re()), 2));
    height = where(is_infinite, scalar(x.owner(), x.dtype(), INFINITY),
                   accurate::asinh(add(mul(minus.re(), plus.im()), mul(minus.im(), plus.re()))));
  }
};

inline jax_value asin(const jax_value& z) {
  const arcs a(z);
  return jax_value(a.asin, with_sign(a.height, z.im()));
}
inline jax_value acos(const jax_value& z) {
  const arcs a(z);
  return jax_value(a.acos, neg(with_sign(a.height, z.im())));
}
inline jax_value asinh(const jax_value& z) { return over_i(asin(times_i(z))); }
inline jax_value acosh(const jax_value& z) {
  const arcs a(z);
  return jax_value(a.height, with_sign(a.acos, z.im()));
}

/// log1p(4 x / ((1 - x)^2 + y^2)) / 4 + i atan2(2 y, (1 - x)(1 + x) - y^2) / 2. The real part is odd in x. If a part of
/// z is infinite, the real part of the result is 0. If a part of z is infinite or NaN, the imaginary part of the result
/// is -pi / 2 for a y that is negative or NaN, and pi / 2 for any other y, as in XLA.
inline jax_value atanh(const jax_value& z) {
  constexpr double half_pi = 1.57079632679489662;
  const value x = abs(z.re()), y = z.im();
  const value one = scalar(x.owner(), x.dtype(), 1), y2 = mul(y, y), low = sub(one, x);
  const value ratio = div(mul(x, 4), add(mul(low, low), y2));
  const value is_infinite = logical_or(equal(x, INFINITY), equal(abs(y), INFINITY)),
              is_number = equal(sub(add(x, y), add(x, y)), 0);
  const value real = where(is_infinite, scalar(x.owner(), x.dtype(), 0), mul(log1p(ratio), 0.25));
  const value angle = mul(accurate::atan2(mul(y, 2), sub(mul(low, add(one, x)), y2)), 0.5);
  const value limit =
      where(greater_equal(y, 0), scalar(x.owner(), x.dtype(), half_pi), scalar(x.owner(), x.dtype(), -half_pi));
  return jax_value(with_sign(real, z.re()), where(is_number, angle, limit));
}
inline jax_value atan(const jax_value& z) { return over_i(atanh(times_i(z))); }

inline jax_value one_like(const jax_value& z) { return jax_value(scalar(z.re().owner(), part_dtype(z), 1)); }
/// (1 + z)(1 - z)
inline jax_value one_minus_square(const jax_value& z) {
  const value one = one_like(z).re();
  return mul(jax_value(add(one, z.re()), z.im()), jax_value(sub(one, z.re()), neg(z.im())));
}
/// 1 / sqrt(z); zeros if the imaginary part of z is infinite. The imaginary parts of z and of the result have opposite
/// signs, even if they are zero.
inline jax_value rsqrt(const jax_value& z) {
  const jax_value inverse = div(one_like(z), sqrt(z));
  const value is_infinite = equal(abs(z.im()), INFINITY), zero = scalar(z.re().owner(), part_dtype(z), 0);
  const value height = where(is_infinite, zero, abs(inverse.im()));
  const value is_below = logical_or(less(z.im(), 0), less(reciprocal(z.im()), 0));  // the second test is true for -0
  return jax_value(where(is_infinite, zero, inverse.re()), where(is_below, height, neg(height)));
}
inline jax_value exp2(const jax_value& z) {
  return exp(scale(z, scalar(z.re().owner(), part_dtype(z), 0.693147180559945309)));
}
inline jax_value logistic(const jax_value& z) {
  const jax_value e = exp(jax_value(neg(maximum(z.re(), -709.0)), neg(z.im())));  // the bound avoids an overflow
  return div(one_like(z), jax_value(add(e.re(), 1), e.im()));
}

/// -i log((x + i y) / sqrt(x^2 + y^2))
inline jax_value atan2(const jax_value& y, const jax_value& x) {
  return over_i(log(div(add(x, times_i(y)), sqrt(add(square(x), square(y))))));
}

/// z^w = exp(w log z); 1 where w is zero, else 0 where z is zero and w is a positive real number. Other powers of zero
/// are NaN, as in XLA.
inline jax_value pow(const jax_value& z, const jax_value& w) {
  const jax_value power = exp(mul(w, log(z)));
  graph& g = z.re().owner();
  const auto number = [&](double v) { return scalar(g, part_dtype(z), v); };
  const auto is_zero_number = [](const jax_value& o) { return logical_and(equal(o.re(), 0), equal(o.im(), 0)); };
  const jax_value zero(number(0), number(0)), one(number(1), number(0));
  const value is_positive = logical_and(greater(w.re(), 0), equal(w.im(), 0));
  const value vanishes = logical_and(is_zero_number(z), is_positive);
  return where(is_zero_number(w), one, where(vanishes, zero, power));
}

}  // namespace jax2onnx::lower::cx
