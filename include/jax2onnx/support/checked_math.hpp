// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include <jax2onnx/support/error.hpp>

/// Arithmetic on extents and sizes, which come from untrusted texts. Compilers have builtins for it; these functions
/// need none.
namespace jax2onnx::detail {

/// Returns whether a + b, a - b or a * b overflows the type. If not, stores the value in `result`, which may be an
/// operand.
/// @{
template <std::integral T>
constexpr bool add_overflows(T a, T b, T& result) {
  using limits = std::numeric_limits<T>;
  if (b >= 0 ? a > limits::max() - b : a < limits::min() - b) return true;
  result = static_cast<T>(a + b);
  return false;
}
template <std::integral T>
constexpr bool sub_overflows(T a, T b, T& result) {
  using limits = std::numeric_limits<T>;
  if (b >= 0 ? a < limits::min() + b : a > limits::max() + b) return true;
  result = static_cast<T>(a - b);
  return false;
}
template <std::integral T>
constexpr bool mul_overflows(T a, T b, T& result) {
  using limits = std::numeric_limits<T>;
  if (a > 0 && (b > 0 ? a > limits::max() / b : b < limits::min() / a)) return true;
  if (a < 0 && (b > 0 ? a < limits::min() / b : b < 0 && b < limits::max() / a)) return true;
  result = static_cast<T>(a * b);
  return false;
}
/// @}

/// a + b; throws a limit_error if it overflows 64 bits.
constexpr std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  if (add_overflows(a, b, a)) throw limit_error("a size overflows 64 bits");
  return a;
}
/// a - b; throws a limit_error if it overflows 64 bits.
constexpr std::int64_t checked_sub(std::int64_t a, std::int64_t b) {
  if (sub_overflows(a, b, a)) throw limit_error("a size overflows 64 bits");
  return a;
}
/// a * b; throws a limit_error if it overflows 64 bits.
constexpr std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  if (mul_overflows(a, b, a)) throw limit_error("a size overflows 64 bits");
  return a;
}

}  // namespace jax2onnx::detail
