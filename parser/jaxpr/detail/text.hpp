// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace jaxpr::detail {

/// Joins the parts into one string. Messages are joined in this way because a formatting library costs more to compile
/// than the whole parser.
inline std::string concat(std::initializer_list<std::string_view> parts) {
  std::string joined;
  for (const std::string_view part : parts) joined += part;
  return joined;
}

/// `number` in hexadecimal, with leading zeros up to `width` digits.
inline std::string hex(unsigned number, std::size_t width = 1) {
  std::string digits;
  for (; number != 0 || digits.size() < width; number /= 16)
    digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  return digits;
}

}  // namespace jaxpr::detail
