// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include <jax2onnx/ops/float_bits.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/corrections.hpp>

/// Casts to 8-bit floating-point types that ONNX Runtime rounds differently from JAX and ONNX (docs/decisions/0025).
namespace jax2onnx::rewrite::detail {

/// A type whose Cast is wrong for some numbers that round beyond its range: numbers whose magnitude is greater than
/// `first`, or equals it if `inclusive`.
struct cast_overflow {
  dtype type;
  double first;
  bool inclusive;  ///< true if `first` itself is out of range
};
inline constexpr cast_overflow cast_overflows[] = {
    {dtype::f8_e4m3fn, 464, false},  // 480 becomes 448
    {dtype::f8_e5m2, 61440, true},   // numbers below 65536 become NaN
};

/// Returns whether a Clip keeps the magnitude of `v` below `limit`. Long chains are not followed.
inline bool is_clipped(value v, double limit) {
  const auto within = [&](const value& bound) {
    const auto number = bound ? uniform_number(bound) : std::nullopt;
    return number && std::abs(*number) < limit;
  };
  constexpr int longest = 8;
  const auto passes = [](const value& w) {
    return producer(w, "Cast") || producer(w, "Reshape") || producer(w, "Transpose");
  };
  for (int i = 0; i < longest && passes(v); ++i) v = input_of(v, 0);
  return producer(v, "Clip") && within(input_of(v, 1)) && within(input_of(v, 2));
}

/// A double rounded to the digits of t. ONNX Runtime's Cast would round the double to float first.
inline value rounded_to_digits_of(const value& x, dtype t) {
  const dtype range = t == dtype::f8_e8m0fnu ? dtype::f64 : t;  // e8m0 has no subnormal numbers
  const value unit = exp2(exponent_of(abs(x), range, -format_of(t).mantissa_bits));
  return mul(unary("Round", div(x, unit)), unit);
}

/// x, with infinity or NaN in place of elements that round beyond the range of `o.type`: infinity if that type has
/// infinities, else NaN.
inline value with_overflow(const value& x, const cast_overflow& o) {
  if (is_clipped(x, o.first)) return x;
  const value limit = scalar(x.owner(), x.dtype(), o.first), a = abs(x);
  const value beyond = o.inclusive ? greater_equal(a, limit) : greater(a, limit);
  if (o.inclusive) return where(beyond, mul(x, std::numeric_limits<double>::infinity()), x);
  return where(beyond, scalar(x.owner(), x.dtype(), std::numeric_limits<double>::quiet_NaN()), x);
}

/// x, clipped to the range from 2^-127 to 2^127 if it is positive and rounds to a number of e8m0; NaN for any other
/// number. e8m0 has the powers of two in this range, and no zero. ONNX Runtime's Cast makes NaN of all numbers beyond
/// this range.
inline value in_range_of_powers(const value& x) {
  graph& g = x.owner();
  const auto number = [&](double n) { return scalar(g, x.dtype(), n); };
  const value positive = greater(x, number(0));
  const value has_power = logical_and(positive, less(x, number(1.5 * 0x1p127)));
  const value nearest = clip(x, number(0x1p-127), number(0x1p127));
  return where(has_power, nearest, number(std::numeric_limits<double>::quiet_NaN()));
}

inline value exact_cast(const value& y) {
  const dtype t = y.dtype(), from = input_of(y, 0).dtype();
  if (!is_floating(t) || bits(t) != 8 || bits(from) < 16) return {};
  value x = input_of(y, 0);
  if (from == dtype::f64) x = rounded_to_digits_of(x, t);
  x = cast(x, dtype::f32);
  for (const cast_overflow& o : cast_overflows)
    if (o.type == t) x = with_overflow(x, o);
  if (t == dtype::f8_e8m0fnu) x = in_range_of_powers(x);
  return x.id() == input_of(y, 0).id() ? value() : with_inputs(y, {x}, y.type());
}

inline constexpr correction cast_corrections[] = {{"Cast", exact_cast}};

/// Corrects the casts above. It must run after `legalize`, which adds such casts.
inline void correct_casts(graph& g) { apply_corrections(g, cast_corrections); }

}  // namespace jax2onnx::rewrite::detail
