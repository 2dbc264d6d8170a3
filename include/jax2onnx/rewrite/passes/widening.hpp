#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include <jax2onnx/graph/dtype.hpp>

/// Which element type may replace another one, by what an operator does with its elements.
namespace jax2onnx::rewrite::detail {

/// What an operator does with its elements.
enum class element_use : std::uint8_t {
  moves,   ///< copies them: any type that converts there and back does
  rings,   ///< sums, differences, products: correct modulo 2^n in any integer type that is wide enough
  orders,  ///< compares them and copies one: any order-preserving map does
  values,  ///< anything else: the type must hold every value
};

inline constexpr std::string_view moving_ops[] = {
    "BatchToSpace",   "Compress", "Concat",       "DepthToSpace", "Expand",  "Flatten",         "Gather",
    "GatherElements", "GatherND", "Identity",     "Pad",          "Reshape", "ReverseSequence", "ScatterElements",
    "ScatterND",      "Slice",    "SpaceToDepth", "Split",        "Squeeze", "TensorScatter",   "Tile",
    "Transpose",      "Trilu",    "Unsqueeze",    "Where"};
/// Operators whose operands and results of one type variable may have different types. They are never widened.
inline constexpr std::string_view mixed_ops[] = {"Cast", "If", "Loop", "Scan"};
inline constexpr std::string_view ring_ops[] = {"Add", "CumProd", "CumSum",     "Einsum",    "Gemm", "MatMul",
                                                "Mul", "Neg",     "ReduceProd", "ReduceSum", "Sub",  "Sum"};
inline constexpr std::string_view ordering_ops[] = {
    "ArgMax",      "ArgMin", "Clip",    "Equal", "Greater",   "GreaterOrEqual", "Less",
    "LessOrEqual", "Max",    "MaxPool", "Min",   "ReduceMax", "ReduceMin",      "TopK"};
/// Operators whose results in a wider floating-point type are exact in the narrow one, given operands that are.
inline constexpr std::string_view closed_float_ops[] = {"Abs", "Ceil", "Floor", "Neg", "Relu", "Round", "Sign"};

constexpr bool is_one_of(std::span<const std::string_view> sorted, std::string_view op) {
  return std::binary_search(sorted.begin(), sorted.end(), op);
}

constexpr element_use use_of(std::string_view op) {
  if (is_one_of(moving_ops, op)) return element_use::moves;
  if (is_one_of(ring_ops, op)) return element_use::rings;
  if (is_one_of(ordering_ops, op)) return element_use::orders;
  return element_use::values;
}

/// A type to compute in. `biased`: uint64 mapped to int64 by subtracting 2^63, which preserves the order.
struct stand_in {
  dtype type = dtype::undefined;
  bool biased = false;
  constexpr explicit operator bool() const { return type != dtype::undefined; }
};

constexpr bool in_mask(std::uint32_t mask, dtype t) { return mask >> static_cast<int>(t) & 1; }

/// Whether `wide` has all values of `narrow`.
constexpr bool holds(dtype wide, dtype narrow) {
  if (is_boolean(narrow)) return is_integer(wide);
  if (is_floating(narrow)) return wide == dtype::f32 || wide == dtype::f64;
  if (!is_integer(wide) || bits(wide) <= bits(narrow)) return false;
  return is_signed_integer(wide) || is_unsigned_integer(narrow);
}

/// The type in `mask` that replaces `t`; undefined where there is none.
constexpr stand_in stand_in_for(dtype t, element_use use, std::uint32_t mask) {
  constexpr dtype by_preference[] = {dtype::f32, dtype::i32, dtype::i64, dtype::u32, dtype::u64, dtype::u8, dtype::i8};
  for (dtype wide : by_preference)
    if (in_mask(mask, wide) && bits(wide) >= bits(t) && holds(wide, t) && !(is_floating(t) && bits(t) > 16))
      return {wide};
  const bool wraps = use == element_use::moves || use == element_use::rings;
  for (dtype same : {dtype::i32, dtype::i64})
    if (wraps && is_unsigned_integer(t) && in_mask(mask, same) && bits(same) == bits(t)) return {same};
  if (use == element_use::orders && t == dtype::u64 && in_mask(mask, dtype::i64)) return {dtype::i64, true};
  return {};
}

}  // namespace jax2onnx::rewrite::detail
