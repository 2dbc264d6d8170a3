// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace jax2onnx::lower::pallas {

/// The pairs of numbers in ((2, 0),) or FrozenDict({2: 0}).
inline std::vector<std::pair<std::size_t, std::size_t>> pairs_in(std::string_view text) {
  std::vector<std::size_t> numbers;
  for (const char *p = text.data(), *end = p + text.size(); p != end;) {
    std::size_t n = 0;
    const auto [next, error] = std::from_chars(p, end, n);
    if (error == std::errc{}) numbers.push_back(n);
    p = error == std::errc{} ? next : p + 1;
  }
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) out.emplace_back(numbers[i], numbers[i + 1]);
  return out;
}

}  // namespace jax2onnx::lower::pallas
