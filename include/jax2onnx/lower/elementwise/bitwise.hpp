// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/float_bits.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers and, or, xor, not, the shifts, population_count and clz (jax.lax) to ONNX's logical operators on bool, and to
/// BitwiseAnd, …, BitShift and arithmetic on integers.
namespace jax2onnx::lower {

template <op_name Logical, binary_verb Bitwise>
jax_values logical_or_bitwise(const site& s) {
  return {is_boolean(s.in_dtype()) ? binary(Logical.view(), s.in(0), s.in(1)) : Bitwise(s.in(0), s.in(1))};
}
inline jax_values complement_bits(const site& s) {
  return {is_boolean(s.in_dtype()) ? logical_not(s.in(0)) : bit_not(s.in(0))};
}

/// The amount by which all elements of x are shifted if it is a known number in [0, width), and the result has the
/// extents of x; otherwise nullopt.
inline std::optional<std::int64_t> known_amount(const value& x, const value& amount) {
  const auto k = uniform_integer(amount);
  const bool keeps_extents = infer::broadcast(x.dims(), amount.dims()).dims == x.dims();
  return k && keeps_extents && *k >= 0 && *k < bits(amount.dtype()) ? k : std::nullopt;
}

/// A logical shift by a computed amount. Amounts outside [0, width) give 0, as in XLA; BitShift does not define the
/// result for them.
inline value guarded_shift(const value& x, const value& amount, const char* direction) {
  graph& g = x.owner();
  const dtype t = x.dtype(), u = unsigned_of(t);
  const value by = cast(amount, u), fits = less(by, bits(t));
  const value shifted = bit_shift(cast(x, u), where(fits, by, scalar(g, u, 0)), direction);
  return cast(where(fits, shifted, scalar(g, u, 0)), t);
}

inline value shift_left(const value& x, const value& amount) {
  if (const auto k = known_amount(x, amount)) return shift_left_by(x, *k);
  return guarded_shift(x, amount, "LEFT");
}
inline value shift_right_logical(const value& x, const value& amount) {
  if (const auto k = known_amount(x, amount)) return shift_right_by(x, *k);
  return guarded_shift(x, amount, "RIGHT");
}

/// Shifts right and fills with copies of the highest bit, also for unsigned types. Amounts outside [0, width) leave
/// only copies of that bit. A negative x gives ~(~x >> amount).
inline value shift_right_arithmetic(const value& number, const value& amount) {
  const dtype t = number.dtype(), u = unsigned_of(t), i = signed_of(t);
  graph& g = number.owner();
  const value x = cast(number, i);
  const auto known = known_amount(number, amount);
  if (known && *known == 0) return number;
  const bool only_sign = known && *known == bits(t) - 1;
  const value of_float = only_sign ? detail::sign_of_float_bits(x) : value();
  const value flip = where(of_float ? of_float : less(x, 0), scalar(g, i, -1), scalar(g, i, 0));
  if (only_sign) return cast(flip, t);
  const value by = known ? scalar(g, u, *known) : minimum(cast(amount, u), bits(t) - 1);
  const value shifted = shift_right_by(cast(bit_xor(x, flip), u), by);
  return cast(bit_xor(cast(shifted, i), flip), t);
}

/// The number of set bits, summed within all bytes in parallel (Hacker's Delight, 5-1).
inline value population_count(const value& number) {
  const dtype t = number.dtype(), u = bits(t) <= 32 ? dtype::u32 : dtype::u64;
  const auto mask = [](std::uint64_t byte) { return byte * 0x0101010101010101u; };
  const auto masked = [&](const value& x, std::uint64_t byte) { return bit_and(x, mask(byte)); };
  value x = cast(cast(number, unsigned_of(t)), u);
  x = sub(x, masked(shift_right_by(x, 1), 0x55));
  x = add(masked(x, 0x33), masked(shift_right_by(x, 2), 0x33));
  x = masked(add(x, shift_right_by(x, 4)), 0x0f);
  const std::int64_t ones = u == dtype::u32 ? 0x01010101 : 0x0101010101010101;
  return cast(shift_right_by(mul(x, ones), bits(u) - 8), t);
}

/// The number of leading zeros: width - 1 - floor(log2 x); the width if x is 0. A 64-bit x is first replaced by
/// x & ~(x >> 1), which has the same highest set bit and cannot round up to the next power of two as a double.
inline value count_leading_zeros(const value& number) {
  const dtype t = number.dtype();
  graph& g = number.owner();
  value x = cast(number, unsigned_of(t));
  if (bits(t) == 64) x = bit_and(x, bit_not(shift_right_by(x, 1)));
  constexpr double per_log2 = 1.44269504088896340736, slack = 1.0 / (std::int64_t{1} << 40);
  const value top = floor(add(mul(log(cast(x, dtype::f64)), per_log2), slack));
  return cast(sub(scalar(g, dtype::f64, bits(t) - 1), maximum(top, -1)), t);
}

inline constexpr lowering bitwise_rows[] = {
    {"and", logical_or_bitwise<"And", bit_and>, "And, BitwiseAnd", bits_binary},
    {"clz", apply1<count_leading_zeros>, "Log, Floor", integer_unary},
    {"not", complement_bits, "Not, BitwiseNot", bits_unary},
    {"or", logical_or_bitwise<"Or", bit_or>, "Or, BitwiseOr", bits_binary},
    {"population_count", apply1<population_count>, "BitShift, BitwiseAnd, Add, Mul", bits_unary},
    {"shift_left", apply2<shift_left>, "Mul by a known power, or BitShift", integer_binary},
    {"shift_right_arithmetic", apply2<shift_right_arithmetic>, "BitShift, BitwiseXor", integer_binary},
    {"shift_right_logical", apply2<shift_right_logical>, "BitShift", integer_binary},
    {"xor", logical_or_bitwise<"Xor", bit_xor>, "Xor, BitwiseXor", bits_binary},
};

}  // namespace jax2onnx::lower
