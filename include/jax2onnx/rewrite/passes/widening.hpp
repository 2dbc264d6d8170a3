// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Chooses the element type that may replace another type, by what an operator does with its elements.
namespace jax2onnx::rewrite::detail {

/// The computation of an operator on its elements, according to its traits.
enum class element_use : std::uint8_t {
  moves,   ///< copies elements: any type to and from which they convert exactly will do
  rings,   ///< sums, differences, products: correct modulo 2^n in any integer type that is wide enough
  orders,  ///< compares elements and copies one: any order-preserving map will do
  values,  ///< anything else: the type must hold every value
};

constexpr element_use use_of(operator_name op) {
  if (has_trait(op, trait::moves)) return element_use::moves;
  if (has_trait(op, trait::rings)) return element_use::rings;
  return has_trait(op, trait::orders) ? element_use::orders : element_use::values;
}

/// A type to compute in. If it is `biased`, uint64 is mapped to int64 by subtracting 2^63, which preserves the order.
struct stand_in {
  dtype type = dtype::undefined;
  bool biased = false;
  constexpr explicit operator bool() const { return type != dtype::undefined; }
};

constexpr bool in_mask(std::uint32_t mask, dtype t) { return mask >> static_cast<int>(t) & 1; }

/// Returns whether `wide` has all values of `narrow`, which is not float64.
constexpr bool holds(dtype wide, dtype narrow) {
  if (is_boolean(narrow)) return is_integer(wide);
  if (is_floating(narrow)) return wide == dtype::f32 || wide == dtype::f64;
  if (!is_integer(wide) || bits(wide) <= bits(narrow)) return false;
  return is_signed_integer(wide) || is_unsigned_integer(narrow);
}

/// The type in `mask` that replaces `t`; undefined if there is none.
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
