// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Functions of a byte, which a program computes for each byte of a constant by any operators.
namespace jax2onnx::rewrite {

inline constexpr std::size_t byte_values = 256;

/// A function of the bytes of an array of 8-bit integers, element by element.
struct byte_function {
  value bytes;             ///< the array of bytes; absent if the results are the same for all bytes
  dtype type = dtype::u8;  ///< the type of the results
  std::array<std::uint64_t, byte_values> results{};  ///< the bits of the results, by the bits of the byte
};

namespace of_bytes {

inline std::optional<byte_function> filled(const value& v) {
  const std::optional<std::int64_t> number =
      is_integer(v.dtype()) || is_boolean(v.dtype()) ? uniform_integer(v) : std::nullopt;
  if (!number) return std::nullopt;
  byte_function f{{}, v.dtype()};
  f.results.fill(of_elements::encode(v.dtype(), *number));
  return f;
}

inline std::optional<byte_function> identity(const value& v) {
  if (!v.is_constant() || !is_integer(v.dtype()) || bits(v.dtype()) != 8) return std::nullopt;
  byte_function f{v, v.dtype()};
  for (std::size_t b = 0; b < byte_values; ++b) f.results[b] = b;
  return f;
}

/// A shift of unsigned integers; nullopt for signed integers, and for a shift by all bits or more. BitShift has no
/// element row since its direction is an attribute.
inline std::optional<std::uint64_t> shifted(const value& v, const single_element& x, const single_element& by) {
  if (is_signed_integer(x.type) || by.bits >= static_cast<std::uint64_t>(bits(x.type))) return std::nullopt;
  const bool right = text_of(v, "direction") == "RIGHT";
  return of_elements::encode(x.type, static_cast<std::int64_t>(right ? x.bits >> by.bits : x.bits << by.bits));
}

inline std::optional<std::uint64_t> result_at(const value& v, const element_row* row,
                                              std::span<const single_element> in) {
  if (row) return row->rule(in, v.dtype());
  return in.size() == 2 ? shifted(v, in[0], in[1]) : std::nullopt;
}

}  // namespace of_bytes

/// `v` as a function of the bytes of one constant; nullopt if it is not such a function, has more than `budget` nodes,
/// or if runtimes may differ.
inline std::optional<byte_function> byte_function_of(const value& v, int& budget) {
  if (!v || budget-- <= 0) return std::nullopt;
  if (auto same = of_bytes::filled(v)) return same;
  if (auto itself = of_bytes::identity(v)) return itself;
  const node* n = producer(v);
  const element_row* row = n ? element_row_of(*n) : nullptr;
  if (!n || (!row && !producer(v, "BitShift"))) return std::nullopt;
  std::vector<byte_function> operands;
  byte_function f{{}, v.dtype()};
  for (std::size_t i = 0; i < n->inputs.size(); ++i) {
    auto operand = byte_function_of(input_of(v, i), budget);
    if (!operand) return std::nullopt;
    if (operand->bytes && f.bytes && !same_value(operand->bytes, f.bytes)) return std::nullopt;
    if (operand->bytes) f.bytes = operand->bytes;
    operands.push_back(*operand);
  }
  if (f.bytes && f.bytes.dims() != v.dims()) return std::nullopt;
  std::vector<single_element> in(operands.size());
  for (std::size_t b = 0; b < byte_values; ++b) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = {operands[i].type, operands[i].results[b]};
    const auto result = of_bytes::result_at(v, row, in);
    if (!result) return std::nullopt;
    f.results[b] = *result;
  }
  return f;
}

}  // namespace jax2onnx::rewrite
