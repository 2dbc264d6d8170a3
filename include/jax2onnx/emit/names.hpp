// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/plain_text.hpp>
#include <jax2onnx/support/text_index.hpp>

namespace jax2onnx::detail {

/// `text` as a C identifier: `_` replaces every character that is not allowed, and is put before a text that does not
/// begin with a letter or `_`.
inline std::string identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  std::string out = text.empty() || !letter(text[0]) ? "_" : "";
  for (char c : text) out += letter(c) || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

/// Makes names unique: `x`, then `x_1`, `x_2`, … Takes linear time overall. The views stay valid as long as the pool
/// lives.
class name_pool {
 public:
  std::string_view unique(std::string_view wish) {
    const std::uint32_t taken = names_.number(plain_text(wish));
    if (taken == next_.size()) return add_new();
    for (;;) {
      const std::size_t before = names_.size();
      const std::uint32_t n = names_.number(message("{}_{}", names_[taken], next_[taken]++));
      if (n == before) return add_new();
    }
  }

 private:
  std::string_view add_new() {
    next_.push_back(1);
    return names_[next_.size() - 1];
  }

  text_index names_;
  std::vector<std::uint32_t> next_;  // the number to try next, by name
};

}  // namespace jax2onnx::detail
