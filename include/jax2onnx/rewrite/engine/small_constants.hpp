#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Reading the numbers of small constants.
namespace jax2onnx::rewrite {

/// Dtypes whose constants are read here.
inline bool is_decodable(dtype t) {
  return t == dtype::f64 || t == dtype::f32 || t == dtype::f16 || t == dtype::bf16 || t == dtype::boolean ||
         (is_integer(t) && bits(t) >= 8);
}

/// The number of a small constant whose elements are all the same; exact for all but 64-bit integers over 2^53.
inline std::optional<double> splat_number(const value& v) {
  constexpr std::size_t longest = 4096;
  if (!v || !v.is_constant() || !is_decodable(v.dtype())) return std::nullopt;
  const auto raw = v.data().view();
  const auto width = static_cast<std::size_t>(bits(v.dtype())) / 8;
  if (raw.size() < width || raw.size() > longest) return std::nullopt;
  if (std::memcmp(raw.data(), raw.data() + width, raw.size() - width) != 0) return std::nullopt;
  const std::uint64_t pattern = element_bits(v.dtype(), raw, 0);
  if (is_floating(v.dtype())) return decode_float(v.dtype(), pattern);
  if (v.dtype() == dtype::u64) return static_cast<double>(pattern);
  return static_cast<double>(decode_integer(v.dtype(), pattern));
}
/// The number of a constant that has one element.
inline std::optional<double> single_number(const value& v) {
  if (!v || !v.is_constant()) return std::nullopt;
  for (dim d : v.dims())
    if (!d.is(1)) return std::nullopt;
  return splat_number(v);
}

/// Whether a Pad adds zeros.
inline bool pads_with_zeros(const pad_view& p) {
  return p.mode == "constant" && (!p.fill || splat_number(p.fill) == 0.0);
}

/// Whether a number of dtype `t` is `expected`, give or take a rounding in that dtype.
inline bool equal_when_rounded(dtype t, double number, double expected) {
  if (number == expected) return true;
  if (!is_floating(t)) return false;
  return std::abs(number - expected) <= std::ldexp(std::abs(expected), -format_of(t).mantissa_bits);
}

}  // namespace jax2onnx::rewrite
