#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <fmt/format.h>

#include <jax2onnx/graph/dtype.hpp>

namespace jax2onnx {

/// A floating point number as the shortest decimal that reads back as the same; never one that reads as an integer.
template <typename Float>
std::string float_text(Float f) {
  if (std::isnan(f)) return "nan";
  if (std::isinf(f)) return f < 0 ? "-inf" : "inf";
  std::string s = fmt::format("{}", f);
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

/// Element `i` of packed little-endian data, as the ONNX textual syntax has it: types without a literal of their own
/// (float16 and narrower) are the integers that encode them.
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
  if (!is_signed_integer(type)) return fmt::format("{}", code);
  const auto unused = static_cast<int>(64 - width);
  return fmt::format("{}", static_cast<std::int64_t>(code << unused) >> unused);
}

}  // namespace jax2onnx
