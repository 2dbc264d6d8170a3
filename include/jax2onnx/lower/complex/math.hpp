#pragma once

#include <array>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/ops/math.hpp>
#include <jax2onnx/ops/ops.hpp>

/// Arithmetic of complex numbers: verbs on operands of two parts. Those up to `matmul` take operands of one part too,
/// so that an algorithm of linear algebra is written once for real and complex matrices.
namespace jax2onnx::cx {

/// All elements are known to be zero.
inline bool is_zero(const value& v) {
  graph& g = v.owner();
  const value_record& r = g.at(v.id());
  if (r.constant >= 0) {
    const bytes& data = g.data(r);
    return data.in_place() && data.size() <= 16 &&
           std::ranges::all_of(data.view(), [](auto b) { return b == decltype(b){}; });
  }
  if (r.producer == node_id::none) return false;
  const node& n = g.at(r.producer);
  return (n.op == "Expand" || n.op == "Cast") && is_zero({g, n.inputs[0]});
}

inline bool is_real(const jax_value& z) { return z.count == 1; }
inline dtype part_dtype(const jax_value& z) { return z.re().dtype(); }

/// f of every part.
template <class F>
jax_value map(const jax_value& z, F f) {
  return is_real(z) ? jax_value(f(z.re())) : jax_value{f(z.re()), f(z.im())};  // braces: in this order
}
/// f of the parts of both; an operand of one part is combined with each part of the other.
template <class F>
jax_value map(const jax_value& a, const jax_value& b, F f) {
  if (is_real(a) && is_real(b)) return jax_value(f(a.re(), b.re()));
  const value& bi = is_real(b) ? b.re() : b.im();
  return jax_value{f(a.re(), b.re()), f(is_real(a) ? a.re() : a.im(), bi)};
}

inline jax_value conj(const jax_value& z) { return is_real(z) ? z : jax_value(z.re(), neg(z.im())); }
inline jax_value neg(const jax_value& z) {
  return map(z, [](const value& v) { return jax2onnx::neg(v); });
}
inline jax_value add(const jax_value& a, const jax_value& b) {
  return map(a, b, [](const value& x, const value& y) { return jax2onnx::add(x, y); });
}
inline jax_value sub(const jax_value& a, const jax_value& b) {
  return map(a, b, [](const value& x, const value& y) { return jax2onnx::sub(x, y); });
}
inline jax_value scale(const jax_value& z, const value& real) {
  return map(z, [&](const value& v) { return jax2onnx::mul(v, real); });
}
inline jax_value unscale(const jax_value& z, const value& real) {
  return map(z, [&](const value& v) { return jax2onnx::div(v, real); });
}
inline jax_value where(const value& c, const jax_value& a, const jax_value& b) {
  return map(a, b, [&](const value& x, const value& y) { return jax2onnx::where(c, x, y); });
}

/// The product by `f`, bilinear: Mul or MatMul.
template <class F>
jax_value product(const jax_value& a, const jax_value& b, F f) {
  if (is_real(a) && is_real(b)) return jax_value(f(a.re(), b.re()));
  if (is_real(b)) return jax_value(f(a.re(), b.re()), f(a.im(), b.re()));
  if (is_real(a)) return jax_value(f(a.re(), b.re()), f(a.re(), b.im()));
  return jax_value(jax2onnx::sub(f(a.re(), b.re()), f(a.im(), b.im())),
                   jax2onnx::add(f(a.re(), b.im()), f(a.im(), b.re())));
}
/// Drops an imaginary part that is known to be zero.
inline jax_value simplest(const jax_value& z) { return z.count == 2 && is_zero(z.im()) ? jax_value(z.re()) : z; }

inline jax_value mul(const jax_value& a, const jax_value& b) {
  const jax_value x0 = simplest(a), y0 = is_real(x0) ? b : simplest(b);
  return product(x0, y0, [](const value& x, const value& y) { return jax2onnx::mul(x, y); });
}
inline jax_value matmul(const jax_value& a, const jax_value& b) {
  return product(a, b, [](const value& x, const value& y) { return jax2onnx::matmul(x, y); });
}

/// |z|^2
inline value norm(const jax_value& z) {
  const value square = jax2onnx::mul(z.re(), z.re());
  return is_real(z) ? square : jax2onnx::add(square, jax2onnx::mul(z.im(), z.im()));
}
inline value abs(const jax_value& z) { return is_real(z) ? jax2onnx::abs(z.re()) : hypot(z.re(), z.im()); }

/// f(z...) in double; the result has the operands' type again.
template <class F, class... Z>
jax_value in_double(F f, const jax_value& z, const Z&... more) {
  const dtype t = part_dtype(z);
  const auto widen = [](const jax_value& o) { return map(o, [](const value& v) { return cast(v, dtype::f64); }); };
  return map(f(widen(z), widen(more)...), [&](const value& v) { return cast(v, t); });
}

inline value number_like(const value& v, double x) { return scalar(v.owner(), v.dtype(), x); }

/// a / b: both are divided by the larger part of b, so that |b|^2 neither overflows nor vanishes; a / 0 is infinite.
inline jax_value div(const jax_value& a, const jax_value& b) {
  if (is_real(simplest(b))) return unscale(a, b.re());
  const value larger = maximum(jax2onnx::abs(b.re()), jax2onnx::abs(b.im()));
  const jax_value unit = unscale(b, larger);
  const jax_value quotient = unscale(mul(a, conj(unit)), jax2onnx::mul(norm(unit), larger));
  const jax_value by_zero =
      is_real(a) ? jax_value(jax2onnx::div(a.re(), b.re()), number_like(a.re(), NAN)) : unscale(a, b.re());
  return where(equal(larger, 0), by_zero, quotient);
}

/// z / |z|, and z where that is zero.
inline jax_value sign(const jax_value& z) {
  const value size = abs(z);
  return where(equal(size, 0), z, unscale(z, size));
}

/// The root with a real part >= 0; XLA's takes i sqrt(-x) for negative x whatever the sign of the zero beside it.
inline jax_value sqrt(const jax_value& z) {
  const value& x = z.re();
  const value& y = z.im();
  const value larger = jax2onnx::sqrt(jax2onnx::mul(jax2onnx::add(hypot(x, y), jax2onnx::abs(x)), 0.5));
  const value zero = equal(larger, 0);
  const value smaller = jax2onnx::where(zero, larger, jax2onnx::div(y, jax2onnx::mul(larger, 2)));
  const value right = greater_equal(x, 0);
  return jax_value(jax2onnx::where(right, larger, jax2onnx::abs(smaller)),
                   jax2onnx::where(right, smaller, with_sign(larger, y)));
}

inline jax_value exp(const jax_value& z) {
  // In two halves: exp(x) may overflow where exp(x) cos(y) does not.
  const value half = jax2onnx::exp(jax2onnx::mul(z.re(), 0.5));
  const auto part = [&](std::string_view op) { return jax2onnx::mul(jax2onnx::mul(half, unary(op, z.im())), half); };
  return jax_value(part("Cos"), jax2onnx::where(equal(z.im(), 0), z.im(), part("Sin")));
}

/// exp(z) - 1; its real part is expm1(x) cos(y) - 2 sin(y / 2)^2.
inline jax_value expm1(const jax_value& z) {
  const value s = unary("Sin", jax2onnx::mul(z.im(), 0.5));
  const value re = jax2onnx::sub(jax2onnx::mul(jax2onnx::expm1(z.re()), unary("Cos", z.im())),
                                 jax2onnx::mul(jax2onnx::mul(s, s), 2));
  const value im = jax2onnx::mul(jax2onnx::exp(z.re()), unary("Sin", z.im()));
  return jax_value(re, jax2onnx::where(equal(z.im(), 0), z.im(), im));
}

/// log|z|, exact near |z| = 1: of the squares' sum in double, or log(m) + log1p((n / m)^2) / 2 with m >= n the parts' sizes.
inline value log_modulus(const jax_value& z) {
  const value a = jax2onnx::abs(z.re()), b = jax2onnx::abs(z.im());
  if (a.dtype() == dtype::f32) {
    const value square = norm(map(z, [](const value& v) { return cast(v, dtype::f64); }));
    return cast(jax2onnx::mul(jax2onnx::log(square), 0.5), dtype::f32);
  }
  const value large = maximum(a, b), one = scalar(a.owner(), a.dtype(), 1);
  const value ratio = jax2onnx::where(equal(a, b), one, jax2onnx::div(minimum(a, b), large));
  const value rest = jax2onnx::log1p(jax2onnx::mul(ratio, ratio));
  return jax2onnx::add(jax2onnx::log(large), jax2onnx::mul(rest, 0.5));
}

inline jax_value log(const jax_value& z) { return jax_value(log_modulus(z), atan2(z.im(), z.re())); }

/// log(1 + z); near zero |1 + z|^2 = 1 + (x (2 + x) + y^2), whose logarithm log1p has exactly.
inline jax_value log1p(const jax_value& z) {
  const value x1 = jax2onnx::add(z.re(), 1);
  const value excess = jax2onnx::add(jax2onnx::mul(z.re(), jax2onnx::add(z.re(), 2)), jax2onnx::mul(z.im(), z.im()));
  const value near = jax2onnx::mul(jax2onnx::log1p(excess), 0.5), far = log_modulus({x1, z.im()});
  return jax_value(jax2onnx::where(less(jax2onnx::abs(excess), 0.5), near, far), atan2(z.im(), x1));
}

/// The four values that sine, cosine and their hyperbolic twins are products of.
struct quadrant {
  value sin, cos, sinh, cosh;
  quadrant(const value& angle, const value& x)
      : sin(unary("Sin", angle)), cos(unary("Cos", angle)), sinh(jax2onnx::sinh(x)), cosh(jax2onnx::cosh(x)) {}
};
inline value vanishing(const value& where_zero, const value& v) {
  return jax2onnx::where(equal(where_zero, 0), where_zero, v);
}

inline jax_value sin(const jax_value& z) {
  const quadrant q(z.re(), z.im());
  return jax_value(vanishing(z.re(), jax2onnx::mul(q.sin, q.cosh)), vanishing(z.im(), jax2onnx::mul(q.cos, q.sinh)));
}
inline jax_value cos(const jax_value& z) {
  const quadrant q(z.re(), z.im());
  return jax_value(jax2onnx::mul(q.cos, q.cosh), jax2onnx::neg(vanishing(z.re(), jax2onnx::mul(q.sin, q.sinh))));
}
inline jax_value sinh(const jax_value& z) {
  const quadrant q(z.im(), z.re());
  return jax_value(jax2onnx::mul(q.sinh, q.cos), vanishing(z.im(), jax2onnx::mul(q.cosh, q.sin)));
}
inline jax_value cosh(const jax_value& z) {
  const quadrant q(z.im(), z.re());
  return jax_value(jax2onnx::mul(q.cosh, q.cos), vanishing(z.im(), jax2onnx::mul(q.sinh, q.sin)));
}

/// (t + i s c q) / (c^2 + t^2 s^2) with t = tanh x, q = 1 / cosh(x)^2, s = sin y, c = cos y: nothing overflows.
inline jax_value tanh(const jax_value& z) {
  const value t = unary("Tanh", z.re()), s = unary("Sin", z.im()), c = unary("Cos", z.im());
  const value e = jax2onnx::exp(jax2onnx::mul(jax2onnx::abs(z.re()), -2)), e1 = jax2onnx::add(e, 1);
  const value q = jax2onnx::div(jax2onnx::mul(e, 4), jax2onnx::mul(e1, e1));
  const value ts = jax2onnx::mul(t, s);
  const value d = jax2onnx::add(jax2onnx::mul(c, c), jax2onnx::mul(ts, ts));
  return jax_value(jax2onnx::div(t, d), jax2onnx::div(jax2onnx::mul(jax2onnx::mul(s, c), q), d));
}
/// i z and -i z
inline jax_value times_i(const jax_value& z) { return jax_value(jax2onnx::neg(z.im()), z.re()); }
inline jax_value over_i(const jax_value& z) { return jax_value(z.im(), jax2onnx::neg(z.re())); }
inline jax_value tan(const jax_value& z) { return over_i(tanh(times_i(z))); }

/// The real parts of asin(x + i |y|) and acos(x + i |y|), and the imaginary part of the first (Kahan, Branch cuts for
/// complex elementary functions), from the roots of 1 - z and 1 + z.
struct arcs {
  value asin, acos, height;
  explicit arcs(const jax_value& z) {
    const value& x = z.re();
    const value y = jax2onnx::abs(z.im());
    const value one = scalar(x.owner(), x.dtype(), 1);
    const jax_value minus = sqrt({jax2onnx::sub(one, x), y}), plus = sqrt({jax2onnx::add(one, x), y});
    using jax2onnx::add, jax2onnx::mul;
    asin = atan2(x, add(mul(minus.re(), plus.re()), mul(minus.im(), plus.im())));
    acos = mul(atan2(minus.re(), plus.re()), 2);
    height = asinh(add(mul(minus.re(), plus.im()), mul(minus.im(), plus.re())));
  }
};

inline jax_value asin(const jax_value& z) {
  const arcs a(z);
  return jax_value(a.asin, with_sign(a.height, z.im()));
}
inline jax_value acos(const jax_value& z) {
  const arcs a(z);
  return jax_value(a.acos, jax2onnx::neg(with_sign(a.height, z.im())));
}
inline jax_value asinh(const jax_value& z) { return over_i(asin(times_i(z))); }
inline jax_value acosh(const jax_value& z) {
  const arcs a(z);
  return jax_value(a.height, with_sign(a.acos, z.im()));
}

/// (log1p(4 x / ((1 - x)^2 + y^2)) / 4, atan2(2 y, (1 - x)(1 + x) - y^2) / 2), the first for |x| and odd.
inline jax_value atanh(const jax_value& z) {
  using jax2onnx::add, jax2onnx::mul, jax2onnx::sub;
  const value x = jax2onnx::abs(z.re());
  const value one = scalar(x.owner(), x.dtype(), 1), y2 = mul(z.im(), z.im()), low = sub(one, x);
  const value ratio = jax2onnx::div(mul(x, 4), add(mul(low, low), y2));
  return jax_value(with_sign(mul(jax2onnx::log1p(ratio), 0.25), z.re()),
                   mul(atan2(mul(z.im(), 2), sub(mul(low, add(one, x)), y2)), 0.5));
}
inline jax_value atan(const jax_value& z) { return over_i(atanh(times_i(z))); }

inline jax_value square(const jax_value& z) { return mul(z, z); }
inline jax_value one_like(const jax_value& z) { return jax_value(scalar(z.re().owner(), part_dtype(z), 1)); }
inline jax_value rsqrt(const jax_value& z) { return div(one_like(z), sqrt(z)); }
inline jax_value exp2(const jax_value& z) {
  return exp(scale(z, scalar(z.re().owner(), part_dtype(z), 0.693147180559945309)));
}
inline jax_value logistic(const jax_value& z) {
  const jax_value e = exp(jax_value(jax2onnx::neg(maximum(z.re(), -709.0)), jax2onnx::neg(z.im())));  // no overflow
  return div(one_like(z), jax_value(jax2onnx::add(e.re(), 1), e.im()));
}

/// -i log((x + i y) / sqrt(x^2 + y^2))
inline jax_value atan2(const jax_value& y, const jax_value& x) {
  return over_i(log(div(add(x, times_i(y)), sqrt(add(square(x), square(y))))));
}

/// z^w = exp(w log z); 1 where w is zero, 0 where only z is.
inline jax_value pow(const jax_value& z, const jax_value& w) {
  const jax_value power = exp(mul(w, log(z)));
  graph& g = z.re().owner();
  using jax2onnx::equal;
  const auto number = [&](double v) { return scalar(g, part_dtype(z), v); };
  const auto is_zero_number = [](const jax_value& o) { return logical_and(equal(o.re(), 0), equal(o.im(), 0)); };
  const jax_value zero(number(0), number(0)), one(number(1), number(0));
  const value vanishes = logical_and(is_zero_number(z), greater(w.re(), 0));
  return where(is_zero_number(w), one, where(vanishes, zero, power));
}

inline value equal(const jax_value& a, const jax_value& b) {
  return logical_and(jax2onnx::equal(a.re(), b.re()), jax2onnx::equal(a.im(), b.im()));
}
/// a < b in the order of JAX's max and min: by real parts, then by imaginary parts.
inline value less_lexicographic(const jax_value& a, const jax_value& b) {
  return logical_or(less(a.re(), b.re()), logical_and(jax2onnx::equal(a.re(), b.re()), less(a.im(), b.im())));
}

}  // namespace jax2onnx::cx
