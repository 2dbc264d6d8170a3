// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/jax_value.hpp>
#include <jax2onnx/operators/views/producer.hpp>
#include <jax2onnx/ops/math.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Complex arithmetic: verbs on operands of two parts, re and im, made of verbs on real numbers. All verbs of this
/// header except `equal`, `less_lexicographic`, `maximum` and `minimum` also accept real operands, which have one part,
/// so that an algorithm of linear algebra is written once for real and complex matrices. The operands of `add` and
/// `sub` must both be real or both be complex. If only one choice of `where` is complex, the other choice must be 0,
/// since `where` takes the single part of the other choice for both parts.
namespace jax2onnx::lower::cx {

// The verbs on real numbers.
using ops::abs;
using ops::add;
using ops::div;
using ops::equal;
using ops::matmul;
using ops::maximum;
using ops::minimum;
using ops::mul;
using ops::neg;
using ops::square;
using ops::sub;
using ops::where;

/// Returns whether all elements are known to be zero.
inline bool is_zero(const value& v) {
  graph& g = v.owner();
  const value_record& r = g.at(v.id());
  if (r.constant >= 0) {
    const bytes& data = g.data(r);
    return data.in_place() && data.size() <= 16 &&
           item_loops::all_of(data.view(), [](auto b) { return b == decltype(b){}; });
  }
  return (operators::producer(v, "Expand") || operators::producer(v, "Cast")) && is_zero(operators::input_of(v, 0));
}

inline bool is_real(const jax_value& z) { return z.count == 1; }
inline dtype part_dtype(const jax_value& z) { return z.re().dtype(); }

/// Applies f to corresponding parts. The only part of a real operand is combined with both parts of a complex operand.
template <class F>
jax_value zip_parts(const jax_value& a, const jax_value& b, F f) {
  if (is_real(a) && is_real(b)) return jax_value(f(a.re(), b.re()));
  const value& bi = is_real(b) ? b.re() : b.im();
  return jax_value{f(a.re(), b.re()), f(is_real(a) ? a.re() : a.im(), bi)};  // in braces, f is called in this order
}

inline jax_value conj(const jax_value& z) { return is_real(z) ? z : jax_value(z.re(), neg(z.im())); }
inline jax_value neg(const jax_value& z) {
  return each_part(z, [](const value& v) { return neg(v); });
}
/// Zeros with the parts, types and extents of `z`.
inline jax_value zeros_like(const jax_value& z) {
  return each_part(z, [](const value& v) { return filled(v.owner(), v.dtype(), v.dims(), 0); });
}
inline jax_value add(const jax_value& a, const jax_value& b) {
  return zip_parts(a, b, [](const value& x, const value& y) { return add(x, y); });
}
inline jax_value sub(const jax_value& a, const jax_value& b) {
  return zip_parts(a, b, [](const value& x, const value& y) { return sub(x, y); });
}
/// z with both parts: the imaginary part of a real z is 0.
inline jax_value as_complex(const jax_value& z) { return is_real(z) ? jax_value(z.re(), zeros_like(z).re()) : z; }
/// z times a real number.
inline jax_value scale(const jax_value& z, const value& real) {
  return each_part(z, [&](const value& v) { return mul(v, real); });
}
/// z divided by a real number.
inline jax_value unscale(const jax_value& z, const value& real) {
  return each_part(z, [&](const value& v) { return div(v, real); });
}
inline jax_value where(const value& c, const jax_value& a, const jax_value& b) {
  return zip_parts(a, b, [&](const value& x, const value& y) { return where(c, x, y); });
}

/// The complex product made of the bilinear real product `f`: Mul or MatMul.
template <class F>
jax_value bilinear(const jax_value& a, const jax_value& b, F f) {
  if (is_real(a) && is_real(b)) return jax_value(f(a.re(), b.re()));
  if (is_real(b)) return jax_value(f(a.re(), b.re()), f(a.im(), b.re()));
  if (is_real(a)) return jax_value(f(a.re(), b.re()), f(a.re(), b.im()));
  return jax_value(sub(f(a.re(), b.re()), f(a.im(), b.im())), add(f(a.re(), b.im()), f(a.im(), b.re())));
}
/// Drops an imaginary part that is known to be zero.
inline jax_value simplest(const jax_value& z) { return z.count == 2 && is_zero(z.im()) ? jax_value(z.re()) : z; }

inline jax_value mul(const jax_value& a, const jax_value& b) {
  const jax_value x0 = simplest(a), y0 = is_real(x0) ? b : simplest(b);
  return bilinear(x0, y0, [](const value& x, const value& y) { return mul(x, y); });
}
inline jax_value matmul(const jax_value& a, const jax_value& b) {
  return bilinear(a, b, [](const value& x, const value& y) { return matmul(x, y); });
}
/// z^2 for z = x + y i, as (x - y)(x + y) + 2 x y i. If x or y is infinite and neither is NaN, at least one part of the
/// result is infinite.
inline jax_value square(const jax_value& z) {
  if (is_real(z)) return jax_value(mul(z.re(), z.re()));
  const value product = mul(z.re(), z.im());
  return jax_value(mul(sub(z.re(), z.im()), add(z.re(), z.im())), add(product, product));
}

/// |z|^2
inline value norm(const jax_value& z) {
  const value square = mul(z.re(), z.re());
  return is_real(z) ? square : add(square, mul(z.im(), z.im()));
}
inline value abs(const jax_value& z) { return is_real(z) ? abs(z.re()) : hypot(z.re(), z.im()); }

/// a / b as a conj(u) / (|u|^2 m), where m is the larger of |re b| and |im b|, and u = b / m: |b|^2 might overflow or
/// underflow. If b is 0, the parts of a are divided by 0. In u, infinite parts of b and m are replaced by the largest
/// finite number of the same sign, so that a finite a gives 0.
inline jax_value div(const jax_value& a, const jax_value& b) {
  if (is_real(simplest(b))) return unscale(a, b.re());
  const value larger = maximum(abs(b.re()), abs(b.im()));
  const auto to_finite = [](const value& v) {
    const double most = largest_finite(v.dtype());
    return clip(v, scalar(v.owner(), v.dtype(), -most), scalar(v.owner(), v.dtype(), most));
  };
  const jax_value unit = unscale(each_part(b, to_finite), to_finite(larger));
  const jax_value quotient = unscale(mul(a, conj(unit)), mul(norm(unit), larger));
  const jax_value by_zero =
      is_real(a) ? jax_value(div(a.re(), b.re()), scalar(a.re().owner(), part_dtype(a), NAN)) : unscale(a, b.re());
  return where(equal(larger, 0), by_zero, quotient);
}

/// z / |z|; z if |z| is zero.
inline jax_value sign(const jax_value& z) {
  const value size = abs(z);
  return where(equal(size, 0), z, unscale(z, size));
}

/// f(z...) computed in double and cast back to the type of the operands.
template <class F, class... Z>
jax_value in_double(F f, const jax_value& z, const Z&... more) {
  const dtype t = part_dtype(z);
  const auto widen = [](const jax_value& o) {
    return each_part(o, [](const value& v) { return cast(v, dtype::f64); });
  };
  return each_part(f(widen(z), widen(more)...), [&](const value& v) { return cast(v, t); });
}

inline value equal(const jax_value& a, const jax_value& b) {
  return logical_and(equal(a.re(), b.re()), equal(a.im(), b.im()));
}
/// a < b in the order of JAX's max and min: by real parts, then by imaginary parts.
inline value less_lexicographic(const jax_value& a, const jax_value& b) {
  return logical_or(less(a.re(), b.re()), logical_and(equal(a.re(), b.re()), less(a.im(), b.im())));
}
/// The larger and the smaller of two numbers, by real parts, then by imaginary parts; b if NaN leaves them unordered.
inline jax_value maximum(const jax_value& a, const jax_value& b) { return where(less_lexicographic(b, a), a, b); }
inline jax_value minimum(const jax_value& a, const jax_value& b) { return where(less_lexicographic(a, b), a, b); }

}  // namespace jax2onnx::lower::cx
