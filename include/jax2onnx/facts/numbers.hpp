// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/operators/views/pad.hpp>
#include <jax2onnx/operators/views/producer.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// The numbers in values, read from constants.
namespace jax2onnx::facts {

/// True for types whose elements the functions of this header read.
constexpr bool is_decodable(dtype t) {
  return t == dtype::f64 || t == dtype::f32 || t == dtype::f16 || t == dtype::bf16 || t == dtype::boolean ||
         (is_integer(t) && bits(t) >= 8);
}

/// A number or truth value, as the bits of its type.
struct single_element {
  dtype type;
  std::uint64_t bits;
  /// The number, which is exact except for 64-bit integers over 2^53.
  double number() const {
    if (is_floating(type)) return decode_float(type, bits);
    return type == dtype::u64 ? static_cast<double>(bits) : static_cast<double>(integer());
  }
  /// The value of an integer or a truth value; a uint64 wraps.
  std::int64_t integer() const { return decode_integer(type, bits); }
};

/// The elements of an array, row by row.
struct elements {
  dtype type;
  std::vector<std::uint64_t> bits;
  single_element operator[](std::size_t i) const { return {type, bits[i]}; }
};

/// The elements of a constant that lies in memory, is of a decodable type and has at most `most` bytes; nullopt for any
/// other value.
inline std::optional<elements> elements_of(const value& v, std::uint64_t most) {
  if (!v || !v.is_constant() || !is_decodable(v.dtype())) return std::nullopt;
  const auto raw = v.data().view();
  if (raw.size() != v.data().size() || raw.size() > most) return std::nullopt;
  elements out{v.dtype(), std::vector<std::uint64_t>(raw.size() / (static_cast<std::size_t>(bits(v.dtype())) / 8))};
  for (std::size_t i = 0; i < out.bits.size(); ++i) out.bits[i] = element_bits(v.dtype(), raw, i);
  return out;
}

/// The element at index `place` of a constant in memory, after the constant was broadcast to a shape that has this
/// index. Nullopt for any other value.
inline std::optional<single_element> element_at(const value& v, const ints& place) {
  if (!v || !v.is_constant() || !is_decodable(v.dtype()) || v.data().view().empty()) return std::nullopt;
  if (v.dims().size() > place.size()) return std::nullopt;
  std::size_t index = 0;
  const std::size_t missing = place.size() - v.dims().size();
  for (std::size_t i = 0; i < v.dims().size(); ++i) {
    const auto extent = static_cast<std::size_t>(v.dims()[i].extent());
    index = index * extent + (extent == 1 ? 0 : static_cast<std::size_t>(place[missing + i]));
  }
  return single_element{v.dtype(), element_bits(v.dtype(), v.data().view(), index)};
}

/// The number of a constant of at most 4 KiB whose elements are all the same; nullopt for any other value. The number
/// is exact, except for 64-bit integers over 2^53.
inline std::optional<double> splat_number(const value& v) {
  constexpr std::size_t longest = 4096;
  if (!v || !v.is_constant() || !is_decodable(v.dtype())) return std::nullopt;
  const auto raw = v.data().view();
  const auto width = static_cast<std::size_t>(bits(v.dtype())) / 8;
  if (raw.size() < width || raw.size() > longest) return std::nullopt;
  if (std::memcmp(raw.data(), raw.data() + width, raw.size() - width) != 0) return std::nullopt;
  return single_element{v.dtype(), element_bits(v.dtype(), raw, 0)}.number();
}
/// The number of a constant that has one element; nullopt for any other value.
inline std::optional<double> single_number(const value& v) {
  if (!v || !v.is_constant() || !item_loops::all_of(v.dims(), [](dim d) { return d.is(1); })) return std::nullopt;
  return splat_number(v);
}

/// The constant of one element that fills `v`: `v` itself, or the operand of the Expands and Reshapes that make `v`.
/// Absent for any other value.
inline value uniform_constant(value v) {
  while (operators::producer(v)) {
    if (!operators::producer(v, "Expand") && !operators::has_trait(v, operators::trait::reshapes)) return {};
    v = operators::input_of(v, 0);
  }
  const bool one = v && v.is_constant() && v.data().in_place() && bits(v.dtype()) >= 8 &&
                   v.data().size() == static_cast<std::uint64_t>(bits(v.dtype()) / 8);
  return one ? v : value{};
}
/// The integer or truth value that fills v; nullopt if there is none. A uint64 wraps.
inline std::optional<std::int64_t> uniform_integer(const value& v) {
  const std::optional<ints> numbers = constant_integers(uniform_constant(v));
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}
/// The floating-point number that fills v; nullopt if there is none.
inline std::optional<double> uniform_number(const value& v) {
  return v && is_floating(v.dtype()) ? splat_number(uniform_constant(v)) : std::nullopt;
}

/// True if a Pad adds zeros.
inline bool pads_with_zeros(const operators::pad_view& p) {
  return p.mode == "constant" && (!p.fill || splat_number(p.fill) == 0.0);
}

/// True if a number of dtype `t` is `expected`, give or take a rounding in that dtype.
inline bool equal_when_rounded(dtype t, double number, double expected) {
  if (number == expected) return true;
  if (!is_floating(t)) return false;
  return std::abs(number - expected) <= std::ldexp(std::abs(expected), -format_of(t).mantissa_bits);
}

}  // namespace jax2onnx::facts
