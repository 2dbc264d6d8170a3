// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

/// The layout of a binary floating-point type, for encoding scalars on the host.
struct float_format {
  int exponent_bits;   ///< width of the exponent
  int mantissa_bits;   ///< stored bits of the mantissa
  int bias;            ///< the bias of the exponent
  bool has_infinity;   ///< if false, an overflow gives NaN, or the largest value in f4_e2m1fn
  bool unsigned_zero;  ///< true for the "fnuz" types, which lack -0: the pattern of -0 is NaN
};

/// The layout of a floating-point type other than f8_e8m0fnu; zeros for any other type.
constexpr float_format format_of(dtype t) {
  switch (t) {
    case dtype::f64: return {11, 52, 1023, true, false};
    case dtype::f32: return {8, 23, 127, true, false};
    case dtype::f16: return {5, 10, 15, true, false};
    case dtype::bf16: return {8, 7, 127, true, false};
    case dtype::f8_e4m3fn: return {4, 3, 7, false, false};
    case dtype::f8_e4m3fnuz: return {4, 3, 8, false, true};
    case dtype::f8_e5m2: return {5, 2, 15, true, false};
    case dtype::f8_e5m2fnuz: return {5, 2, 16, false, true};
    case dtype::f4_e2m1fn: return {2, 1, 1, false, false};
    default: return {0, 0, 0, false, false};
  }
}

/// The largest finite value of a floating-point type other than f8_e8m0fnu; 0 for any other type.
constexpr double largest_finite(dtype t) {
  switch (t) {
    case dtype::f64: return std::numeric_limits<double>::max();
    case dtype::f32: return std::numeric_limits<float>::max();
    case dtype::f16: return 65504;
    case dtype::bf16: return 3.3895313892515355e+38;
    case dtype::f8_e4m3fn: return 448;
    case dtype::f8_e4m3fnuz: return 240;
    case dtype::f8_e5m2:
    case dtype::f8_e5m2fnuz: return 57344;
    case dtype::f4_e2m1fn: return 6;
    default: return 0;
  }
}

/// The bit pattern of `v` in a floating-point type, rounded to nearest even. Overflow becomes infinity, or NaN in types
/// without infinity. f4_e2m1fn has neither infinity nor NaN: there, infinity, NaN and overflow become the value of the
/// largest magnitude. In f8_e8m0fnu, the logarithm of `v` is rounded, and `v` <= 0 becomes NaN.
inline std::uint64_t encode_float(dtype t, double v) {
  if (t == dtype::f64) return std::bit_cast<std::uint64_t>(v);
  if (t == dtype::f8_e8m0fnu)
    return v > 0 && std::isfinite(v)
               ? static_cast<std::uint64_t>(std::fmin(std::fmax(std::nearbyint(std::log2(v)) + 127, 0), 255))
               : 255;
  const float_format f = format_of(t);
  const int width = 1 + f.exponent_bits + f.mantissa_bits;
  const std::uint64_t sign = std::signbit(v) ? std::uint64_t{1} << (width - 1) : 0;
  const std::uint64_t exponent_ones = (std::uint64_t{1} << f.exponent_bits) - 1;
  const std::uint64_t infinity = exponent_ones << f.mantissa_bits;
  const auto not_a_number = [&]() -> std::uint64_t {
    if (t == dtype::f4_e2m1fn) return sign | 7;
    if (f.unsigned_zero) return std::uint64_t{1} << (width - 1);
    if (!f.has_infinity) return sign | (infinity | ((std::uint64_t{1} << f.mantissa_bits) - 1));
    return sign | infinity | (std::uint64_t{1} << (f.mantissa_bits - 1));
  };
  if (std::isnan(v)) return not_a_number();
  const double magnitude = std::fabs(v);
  if (std::isinf(v)) return f.has_infinity ? sign | infinity : not_a_number();
  if (magnitude == 0) return f.unsigned_zero ? 0 : sign;
  int exponent = std::ilogb(magnitude);
  const int smallest = 1 - f.bias;
  if (exponent < smallest) exponent = smallest;
  // In units of the last place the value is exact in double, and nearbyint rounds half to even.
  const double units = std::nearbyint(std::ldexp(magnitude, f.mantissa_bits - exponent));
  const double rounded = std::ldexp(units, exponent - f.mantissa_bits);
  if (rounded > largest_finite(t)) return f.has_infinity ? sign | infinity : not_a_number();
  if (rounded == 0) return f.unsigned_zero ? 0 : sign;
  int e = std::ilogb(rounded);
  if (e < smallest) return sign | static_cast<std::uint64_t>(std::ldexp(rounded, f.mantissa_bits - smallest));
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(rounded, f.mantissa_bits - e)) &
                        ((std::uint64_t{1} << f.mantissa_bits) - 1);
  return sign | (static_cast<std::uint64_t>(e + f.bias) << f.mantissa_bits) | mantissa;
}

/// The little-endian bytes of bit patterns of type `t` (a pattern of less than 8 bits takes a whole byte).
/// @{
inline std::string pattern_bytes(dtype t, std::span<const std::uint64_t> patterns) {
  const std::size_t width = (static_cast<std::size_t>(bits(t)) + 7) / 8;
  std::string out(patterns.size() * width, '\0');
  auto byte = out.begin();
  for (std::uint64_t pattern : patterns)
    for (std::size_t i = 0; i < width; ++i, pattern >>= 8) *byte++ = static_cast<char>(pattern);
  return out;
}
inline std::string pattern_bytes(dtype t, std::uint64_t pattern) { return pattern_bytes(t, std::span(&pattern, 1)); }
/// @}

namespace detail {

/// Patterns of `width` bits, one in each byte, as models store them: the first one in the lowest bits.
inline std::string packed(int width, std::string_view patterns) {
  const auto each = static_cast<std::size_t>(8 / width);
  std::string out((patterns.size() + each - 1) / each, '\0');
  for (std::size_t i = 0; i < patterns.size(); ++i)
    out[i / each] = static_cast<char>(out[i / each] | patterns[i] << static_cast<int>(i % each) * width);
  return out;
}

}  // namespace detail

/// The bit pattern of one number in type `t`. A floating-point type rounds it to nearest even. Any other type drops the
/// fraction, and throws a build_error for NaN and for numbers that 64 bits cannot hold.
inline std::uint64_t scalar_pattern(dtype t, double v) {
  if (is_floating(t)) return encode_float(t, v);
  if (!(v >= -0x1p63 && v < 0x1p64))
    throw build_error(detail::message("a number for {} is NaN or does not fit into 64 bits", name(t)));
  const std::uint64_t integer =
      v < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(v)) : static_cast<std::uint64_t>(v);
  return bits(t) < 8 ? integer & ((1u << bits(t)) - 1) : integer;
}
/// The bit pattern of one integer in type `t`. For a narrower integer type, only the low bits of the pattern count.
inline std::uint64_t scalar_pattern(dtype t, std::int64_t v) {
  if (is_floating(t)) return scalar_pattern(t, static_cast<double>(v));
  const auto pattern = static_cast<std::uint64_t>(v);
  return bits(t) < 8 ? pattern & ((1u << bits(t)) - 1) : pattern;
}
/// One number as the bytes of a rank-0 tensor of type `t`: see scalar_pattern.
template <class Number>
std::string scalar_bytes(dtype t, Number v) {
  return pattern_bytes(t, scalar_pattern(t, v));
}

/// The value of a bit pattern of a floating-point type; the inverse of encode_float.
inline double decode_float(dtype t, std::uint64_t pattern) {
  if (t == dtype::f64) return std::bit_cast<double>(pattern);
  if (t == dtype::f8_e8m0fnu)
    return pattern == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(pattern) - 127);
  const float_format f = format_of(t);
  const int width = 1 + f.exponent_bits + f.mantissa_bits;
  const std::uint64_t mantissa = pattern & ((std::uint64_t{1} << f.mantissa_bits) - 1);
  const auto exponent = static_cast<int>(pattern >> f.mantissa_bits & ((std::uint64_t{1} << f.exponent_bits) - 1));
  const double sign = pattern >> (width - 1) & 1 ? -1 : 1;
  const bool top = exponent == (1 << f.exponent_bits) - 1;
  const bool all_ones = top && mantissa == (std::uint64_t{1} << f.mantissa_bits) - 1;
  const bool negative_zero = sign < 0 && exponent == 0 && mantissa == 0;
  if ((f.unsigned_zero && negative_zero) || (f.has_infinity && top && mantissa) || (t == dtype::f8_e4m3fn && all_ones))
    return std::numeric_limits<double>::quiet_NaN();
  if (f.has_infinity && top) return sign * std::numeric_limits<double>::infinity();
  const auto units = static_cast<double>(exponent ? mantissa | std::uint64_t{1} << f.mantissa_bits : mantissa);
  return sign * std::ldexp(units, (exponent > 1 ? exponent : 1) - f.bias - f.mantissa_bits);
}

/// The smallest value of an integer type.
constexpr std::int64_t smallest_integer(dtype t) {
  return is_signed_integer(t) ? -(std::int64_t{1} << (bits(t) - 2)) * 2 : 0;
}
/// The largest value of an integer type or bool.
constexpr std::uint64_t largest_integer(dtype t) {
  if (t == dtype::boolean) return 1;
  const int magnitude = bits(t) - (is_signed_integer(t) ? 1 : 0);
  return magnitude == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << magnitude) - 1;
}

namespace detail {

/// True if type t can hold the number; floating-point types may round it. f8_e8m0fnu counts as holding every number,
/// bool holds 0 and 1, and types that are not numeric hold none.
inline bool holds(dtype t, std::int64_t n) {
  if (is_floating(t)) return t == dtype::f8_e8m0fnu || std::fabs(static_cast<double>(n)) <= largest_finite(t);
  if (!is_integer(t) && !is_boolean(t)) return false;
  if (n < 0) return is_signed_integer(t) && n >= smallest_integer(t);
  return static_cast<std::uint64_t>(n) <= largest_integer(t);
}
/// True if type t can hold the number. All floating-point types hold NaN and infinities. Other types hold no fractions
/// and no magnitude from 2^63 on.
inline bool holds(dtype t, double x) {
  if (is_floating(t)) return !std::isfinite(x) || t == dtype::f8_e8m0fnu || std::fabs(x) <= largest_finite(t);
  return std::fabs(x) < 0x1p63 && std::trunc(x) == x && holds(t, static_cast<std::int64_t>(x));
}

}  // namespace detail

/// Element `i` of little-endian bytes, as the bits of its type; for types of whole bytes.
inline std::uint64_t element_bits(dtype t, std::span<const std::byte> raw, std::size_t i) {
  std::uint64_t pattern = 0;
  const auto width = static_cast<std::size_t>(bits(t)) / 8;
  std::memcpy(&pattern, raw.data() + i * width, width);
  return pattern;
}

/// The integer that `pattern` encodes. Sign extended if the type is signed; a uint64 wraps.
inline std::int64_t decode_integer(dtype t, std::uint64_t pattern) {
  const int unused = 64 - bits(t);
  return is_signed_integer(t) ? static_cast<std::int64_t>(pattern << unused) >> unused
                              : static_cast<std::int64_t>(pattern);
}

}  // namespace jax2onnx
