// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/graph/scalar.hpp>

/// Casts that keep all numbers.
namespace jax2onnx {

/// True only if every value of `from` is a value of `to`. Also false if `to` is another floating-point type without
/// infinity, and `from` is a floating-point type.
constexpr bool casts_exactly(dtype from, dtype to) {
  if (to == from) return true;
  if (to == dtype::f8_e8m0fnu) return false;  // the type has no zero
  if (is_boolean(from)) return true;
  if (is_boolean(to)) return false;
  if (is_floating(from)) {
    const float_format a = format_of(from), b = format_of(to);
    return a.exponent_bits > 0 && b.has_infinity && b.exponent_bits >= a.exponent_bits &&
           b.mantissa_bits >= a.mantissa_bits;
  }
  const auto magnitude = [](dtype t) {
    return is_floating(t) ? format_of(t).mantissa_bits + 1 : bits(t) - (is_signed_integer(t) ? 1 : 0);
  };
  return magnitude(to) >= magnitude(from) && (!is_unsigned_integer(to) || is_unsigned_integer(from));
}

/// Returns whether `t` is a floating-point type of at least 16 bits.
constexpr bool is_half_or_wider(dtype t) { return is_floating(t) && bits(t) >= 16; }

}  // namespace jax2onnx
