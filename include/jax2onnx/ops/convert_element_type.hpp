// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <jax2onnx/ops/elementwise.hpp>

/// JAX's conversion between element types, which defines the cases that ONNX's Cast leaves undefined.
namespace jax2onnx::ops {

/// x as float if its type is a floating-point type below 32 bits; otherwise x itself.
inline value at_least_float(const value& x) {
  return is_floating(x.dtype()) && bits(x.dtype()) < 32 ? cast(x, dtype::f32) : x;
}

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// The largest number below 2^k that a floating-point type has.
inline double below_power_of_two(dtype t, int k) {
  return std::ldexp(1 - std::ldexp(1.0, -1 - format_of(t).mantissa_bits), k);
}

/// Truncates towards zero; numbers out of range become the nearest integer of type `to`, NaN becomes 0.
inline value float_to_integer(const value& number, dtype to) {
  graph& g = number.owner();
  value x = at_least_float(number);
  if (bits(to) == 32) x = cast(x, dtype::f64);
  const dtype f = x.dtype();
  const value clean = where(is_nan(x), scalar(g, f, 0), x);
  const auto lowest = static_cast<double>(smallest_integer(to));
  const auto highest = static_cast<double>(largest_integer(to));
  if (bits(to) < 64) {
    const value bounded = clip(clean, scalar(g, f, lowest), scalar(g, f, highest));
    // ONNX does not define how a Cast to 4 bits rounds.
    return bits(to) < 8 ? cast(cast(bounded, dtype::i8), to) : cast(bounded, to);
  }
  const int width = is_signed_integer(to) ? 63 : 64;
  const value in_range = clip(clean, scalar(g, f, lowest), scalar(g, f, below_power_of_two(f, width)));
  return where(greater_equal(clean, std::ldexp(1.0, width)),
               scalar(g, to, static_cast<std::int64_t>(largest_integer(to))), cast(in_range, to));
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// x in dtype `to`, by the rules of JAX's convert_element_type: integers wrap, floating-point numbers saturate to
/// integers, and any number but 0 is true. Small constants are converted at once.
inline value convert_element_type(const value& x, dtype to) {
  if (is_floating(x.dtype()) && is_integer(to)) return detail::float_to_integer(x, to);
  // A Cast of 8-bit floats tests their bits: -0 would be true.
  if (is_boolean(to) && is_floating(x.dtype()) && bits(x.dtype()) < 16)
    return logical_not(equal(cast(x, dtype::f32), 0));
  const bool plain = !is_boolean(to) && !(x.dtype() == dtype::u64 && is_floating(to));
  if (const auto folded = plain ? detail::converted_constant(x, to) : std::nullopt) return *folded;
  return cast(x, to);
}

}  // namespace jax2onnx::ops
