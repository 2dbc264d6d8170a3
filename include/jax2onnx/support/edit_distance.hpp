// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jax2onnx::detail {

/// The number of letters to insert, delete, change, or swap with the next one, to turn one word into the other (the
/// optimal string alignment distance). Letter case does not matter. Takes quadratic time: for words only.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::array<std::vector<std::size_t>, 3> rows;  // the rows for the last two letters of a and for the current one
  for (auto& row : rows) row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[1][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    rows[2][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      rows[2][j] = std::min({rows[1][j - 1] + (same ? 0 : 1), rows[1][j] + 1, rows[2][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) rows[2][j] = std::min(rows[2][j], rows[0][j - 2] + 1);
    }
    std::swap(rows[0], rows[1]);
    std::swap(rows[1], rows[2]);
  }
  return rows[1][b.size()];
}

/// The candidate that is closest to a misspelt word; empty if no candidate is close, or if the word has over 100
/// letters.
inline std::string closest(std::string_view word, std::span<const std::string> candidates) {
  if (candidates.empty() || word.size() > 100) return {};
  const auto from_word = [&](const std::string& candidate) { return edit_distance(word, candidate); };
  const std::string& best = *std::ranges::min_element(candidates, {}, from_word);
  return from_word(best) <= best.size() / 3 ? best : std::string();
}

}  // namespace jax2onnx::detail
