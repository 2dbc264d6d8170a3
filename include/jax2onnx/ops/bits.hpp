// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <jax2onnx/operators/opset.hpp>
#include <jax2onnx/ops/elementwise.hpp>

/// Integers as bits: shifts, masks, counts.
namespace jax2onnx::ops {

/// The unsigned type of a width in bits. A width other than 2, 4, 8, 16 and 32 gives uint64.
constexpr dtype unsigned_with(int width) {
  switch (width) {
    case 2: return dtype::u2;
    case 4: return dtype::u4;
    case 8: return dtype::u8;
    case 16: return dtype::u16;
    case 32: return dtype::u32;
    default: return dtype::u64;
  }
}

/// The unsigned integer type of t's width.
constexpr dtype unsigned_of(dtype t) { return unsigned_with(bits(t)); }
/// The signed integer type of t's width.
constexpr dtype signed_of(dtype t) {
  switch (bits(t)) {
    case 2: return dtype::i2;
    case 4: return dtype::i4;
    case 8: return dtype::i8;
    case 16: return dtype::i16;
    case 32: return dtype::i32;
    default: return dtype::i64;
  }
}

/// ONNX's BitShift of unsigned integers; the amounts must be below the width.
inline value bit_shift(const value& x, const value& amount, const char* direction) {
  detail::require_same_dtype("BitShift", x, amount);
  return x.owner().emit(
      "BitShift", {x, amount},
      {x.dtype(), detail::checked("BitShift", infer::broadcast(x.dims(), amount.dims()), {x, amount})},
      {{"direction", std::string(direction)}});
}
/// x << amount of unsigned integers; the amounts must be below the width.
inline value shift_left_by(const value& x, const value& amount) { return bit_shift(x, amount, "LEFT"); }
/// x >> amount of unsigned integers; the amounts must be below the width.
inline value shift_right_by(const value& x, const value& amount) { return bit_shift(x, amount, "RIGHT"); }

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// 2^k in t, modulo 2^width.
inline value power_of_two(graph& g, dtype t, std::int64_t k) {
  return scalar(g, t, k >= 64 ? std::int64_t{0} : static_cast<std::int64_t>(std::uint64_t{1} << k));
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// x << k, that is x * 2^k modulo 2^width, for any integer type. The node is a Mul.
inline value shift_left_by(const value& x, std::int64_t k) {
  if (k == 0) return x;
  return mul(x, detail::power_of_two(x.owner(), x.dtype(), k));
}
/// x >> k, filled with zeros, for 0 <= k < width.
inline value shift_right_by(const value& x, std::int64_t k) {
  if (k == 0) return x;
  const dtype u = unsigned_of(x.dtype());
  return cast(shift_right_by(cast(x, u), scalar(x.owner(), u, k)), x.dtype());
}

/// Bitwise operators on two integers of one dtype, which broadcast (opset 18).
/// @{
inline value bit_and(const value& a, const value& b) {
  detail::require(a.owner(), detail::feature::bitwise, "BitwiseAnd");
  return binary("BitwiseAnd", a, b);
}
inline value bit_or(const value& a, const value& b) {
  detail::require(a.owner(), detail::feature::bitwise, "BitwiseOr");
  return binary("BitwiseOr", a, b);
}
inline value bit_xor(const value& a, const value& b) {
  detail::require(a.owner(), detail::feature::bitwise, "BitwiseXor");
  return binary("BitwiseXor", a, b);
}
inline value bit_and(const value& a, std::uint64_t mask) {
  return bit_and(a, scalar(a.owner(), a.dtype(), static_cast<std::int64_t>(mask)));
}
/// @}

/// ~x = -1 - x in two's complement.
inline value bit_not(const value& x) {
  if (detail::has(x.owner(), detail::feature::bitwise)) return unary("BitwiseNot", x);
  return sub(scalar(x.owner(), x.dtype(), -1), x);
}

}  // namespace jax2onnx::ops
