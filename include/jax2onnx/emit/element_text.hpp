// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <jax2onnx/graph/dtype.hpp>

namespace jax2onnx::detail {

/// The shortest decimal that reads back as the same floating-point number and does not read as an integer. Numbers with
/// exponents from -4 to 15 are written without an exponent, as in Python. NaN and infinities are nan, inf and -inf.
template <class Float>
std::string float_text(Float f) {
  if (std::isnan(f)) return "nan";
  if (std::isinf(f)) return f < 0 ? "-inf" : "inf";
  char code[40];
  const char* const end = std::to_chars(code, code + sizeof code, f, std::chars_format::scientific).ptr;
  std::string shortest(code, static_cast<std::size_t>(end - code));  // -1.25e-07
  const std::size_t e = shortest.find('e');
  const int exponent = std::stoi(shortest.substr(e + 1));
  if (exponent < -4 || exponent > 15) return shortest;
  const std::string sign = shortest[0] == '-' ? "-" : "";
  std::string digits = shortest.substr(sign.size(), 1);
  if (e > sign.size() + 2) digits += shortest.substr(sign.size() + 2, e - sign.size() - 2);
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.insert(whole, 1, '.');
}

/// Element `i` of packed little-endian data in the ONNX textual syntax, which has no literals for floating-point types
/// of 16 bits or fewer: their elements are written as the integers that encode them.
inline std::string element_text(dtype type, std::span<const std::byte> data, std::uint64_t i) {
  const auto width = static_cast<std::uint64_t>(bits(type));
  std::uint64_t code = 0;
  if (width >= 8) {
    std::memcpy(&code, data.data() + i * width / 8, width / 8);
  } else {
    const std::uint64_t at = i * width;
    code = (static_cast<std::uint64_t>(data[at / 8]) >> (at % 8)) & ((1u << width) - 1);
  }
  if (type == dtype::f32) {
    float f = 0;
    std::memcpy(&f, &code, sizeof f);
    return float_text(f);
  }
  if (type == dtype::f64) {
    double d = 0;
    std::memcpy(&d, &code, sizeof d);
    return float_text(d);
  }
  if (!is_signed_integer(type)) return std::to_string(code);
  const auto unused = static_cast<int>(64 - width);
  return std::to_string(static_cast<std::int64_t>(code << unused) >> unused);
}

}  // namespace jax2onnx::detail
