// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/scalar.hpp>

namespace jax2onnx {

/// Decodes bytes of an integer type or of bool; a uint64 wraps. nullopt for any other type, for types of less than 8
/// bits, and for bytes that are not held in place.
inline std::optional<ints> decoded_integers(dtype t, const bytes& data) {
  if (!data.in_place() || (!is_integer(t) && !is_boolean(t)) || bits(t) < 8) return std::nullopt;
  const auto raw = data.view();
  ints numbers(raw.size() / (static_cast<std::size_t>(bits(t)) / 8));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = decode_integer(t, element_bits(t, raw, i));
  return numbers;
}

/// The elements, row by row, of a constant that decoded_integers() can decode; a uint64 wraps. nullopt for any other
/// value.
inline std::optional<ints> constant_integers(const value& v) {
  return v && v.is_constant() ? decoded_integers(v.dtype(), v.data()) : std::nullopt;
}

/// The element of a scalar constant that decoded_integers() can decode; a uint64 wraps. nullopt for any other value.
inline std::optional<std::int64_t> constant_integer(const value& v) {
  const std::optional<ints> numbers = v && v.rank() == 0 ? constant_integers(v) : std::nullopt;
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

}  // namespace jax2onnx
