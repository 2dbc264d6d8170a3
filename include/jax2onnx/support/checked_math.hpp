#pragma once

#include <cstdint>

#include <jax2onnx/support/error.hpp>

/// Arithmetic on extents and sizes, which come from texts. A result outside of 64 bits is a limit_error.
namespace jax2onnx::detail {

/// a + b
constexpr std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) throw limit_error("a size overflows 64 bits");
  return r;
}
/// a - b
constexpr std::int64_t checked_sub(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_sub_overflow(a, b, &r)) throw limit_error("a size overflows 64 bits");
  return r;
}
/// a * b
constexpr std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) throw limit_error("a size overflows 64 bits");
  return r;
}

}  // namespace jax2onnx::detail
