#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/scalar.hpp>

namespace jax2onnx {

/// The numbers of a constant of integers or bools that is held in place, row by row; a uint64 wraps. nullopt for any
/// other value.
inline std::optional<ints> constant_integers(const value& v) {
  if (!v || !v.is_constant() || !v.data().in_place()) return std::nullopt;
  const dtype t = v.dtype();
  if ((!is_integer(t) && !is_boolean(t)) || bits(t) < 8) return std::nullopt;
  const auto raw = v.data().view();
  ints numbers(raw.size() / (static_cast<std::size_t>(bits(t)) / 8));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = decode_integer(t, element_bits(t, raw, i));
  return numbers;
}

/// The number of a scalar constant of integer type or bool; a uint64 wraps. nullopt for any other value.
inline std::optional<std::int64_t> constant_integer(const value& v) {
  const std::optional<ints> numbers = v && v.rank() == 0 ? constant_integers(v) : std::nullopt;
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

}  // namespace jax2onnx
