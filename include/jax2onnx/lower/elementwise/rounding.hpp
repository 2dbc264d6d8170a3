// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/ops/float_bits.hpp>

/// Lowers floor, ceil and round (jax.lax) to Floor, Ceil and Round, and nextafter and reduce_precision to arithmetic in
/// double.
namespace jax2onnx::lower {

/// Rounds half away from zero: sign(x) * floor(|x| + h), where h is the largest number below 0.5. Adding 0.5 itself
/// would round h up to 1, and large odd integers up to the next even one.
inline value round_away(const value& x) {
  const double almost_half = 0.5 - std::ldexp(1.0, -2 - format_of(x.dtype()).mantissa_bits);
  return mul(accurate::sign(x), floor(add(abs(x), almost_half)));
}

/// rounding_method 0 rounds half away from zero, 1 rounds half to even.
inline jax_values round(const site& s) {
  const auto method = s.param<std::int64_t>("rounding_method");
  if (method == 1) return {unary("Round", s.in(0))};
  return {cast(round_away(at_least_float(s.in(0))), s.out_dtype())};
}

/// x plus and minus a step. Rounded to type t, the sums are the numbers next to x: the step is between 0.5 and 1.5
/// times the distance to either neighbour, although these distances differ at a power of two.
struct neighbours {
  value above, below;
};
inline neighbours neighbours_of(const value& x, dtype t) {
  graph& g = x.owner();
  const int digits = format_of(t).mantissa_bits;
  const double smallest = std::ldexp(1.0, smallest_exponent(t) - digits);
  const double largest =
      t == dtype::f64 ? std::numeric_limits<double>::max() : std::ldexp(1.0, largest_exponent(t) + 1);
  const value finite = clip(x, scalar(g, dtype::f64, -largest), scalar(g, dtype::f64, largest));
  value step =
      maximum(mul(abs(finite), std::ldexp(1 + 0x1p-6, -1 - digits)), t == dtype::f64 ? smallest : smallest * 0.75);
  if (t == dtype::f64) step = where(less(abs(x), INFINITY), step, scalar(g, t, 0));
  return {add(finite, step), sub(finite, step)};
}

/// The number after `from` in the direction of `to`; `to` if they are equal, NaN if either is NaN.
inline value nextafter(const value& from, const value& to) {
  const dtype t = from.dtype();
  const value x = cast(from, dtype::f64), y = cast(to, dtype::f64);
  const neighbours n = neighbours_of(x, t);
  const value sum = add(x, y);  // NaN if x or y is
  const value equal_or_nan = where(is_nan(sum), sum, y);
  return cast(where(greater(y, x), n.above, where(less(y, x), n.below, equal_or_nan)), t);
}

/// x rounded to `mantissa` explicit mantissa bits and to the exponent range of `exponent` bits: underflow gives 0,
/// overflow infinity. Computed in double, in which every step is exact.
inline value reduced_precision(const value& number, int exponent, int mantissa) {
  const dtype t = number.dtype();
  const float_format f = format_of(t);
  const value x = cast(number, dtype::f64);
  value y = x;
  if (mantissa < f.mantissa_bits) {
    const value unit = exp2(exponent_of(abs(x), t, -mantissa));
    y = mul(unary("Round", div(x, unit)), unit);
  }
  if (exponent < f.exponent_bits) {
    const int bias = (1 << (exponent - 1)) - 1;
    const value a = abs(y);
    const double largest = std::ldexp(2 - std::ldexp(1.0, -std::min(mantissa, f.mantissa_bits)), bias);
    y = where(greater_equal(a, std::ldexp(1.0, 1 - bias)), y, mul(y, 0));
    y = where(greater(a, largest), mul(y, INFINITY), y);
  }
  return cast(y, t);
}
inline jax_values reduce_precision(const site& s) {
  const auto exponent = s.param<std::int64_t>("exponent_bits"), mantissa = s.param<std::int64_t>("mantissa_bits");
  if (exponent < 1 || mantissa < 0) s.unsupported("it needs at least 1 exponent bit and 0 mantissa bits");
  const value x = s.in(0);
  const float_format f = format_of(x.dtype());
  if (exponent >= f.exponent_bits && mantissa >= f.mantissa_bits) return {x};
  const float_format b = format_of(dtype::bf16);
  if (exponent >= b.exponent_bits && mantissa == b.mantissa_bits && x.dtype() == dtype::f32)
    return {cast(cast(x, dtype::bf16), dtype::f32)};
  return {reduced_precision(x, static_cast<int>(std::min<std::int64_t>(exponent, 11)),
                            static_cast<int>(std::min<std::int64_t>(mantissa, 52)))};
}

inline constexpr lowering rounding_rows[] = {
    {"ceil", map1<"Ceil">, "Ceil", float_unary},
    {"floor", map1<"Floor">, "Floor", float_unary},
    {"nextafter", apply2<nextafter>, "Add, Sub, Where in double", float_binary},
    {"reduce_precision", reduce_precision, "Cast, or Round in double",
     signature{1,
               1,
               same_elements<kinds::floating>,
               {{"exponent_bits", param_form::number, 1}, {"mantissa_bits", param_form::number, 0}}}},
    {"round", round, "Round, or Floor",
     signature{1, 1, same_elements<kinds::floating>, {{"rounding_method", param_form::other}}}},
};

}  // namespace jax2onnx::lower
