#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/plain_text.hpp>

namespace jax2onnx::detail {

/// `text` with `_` in place of every character that is not allowed in a C identifier.
inline std::string identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  std::string out = text.empty() || !letter(text[0]) ? "_" : "";
  for (char c : text) out += letter(c) || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

/// Makes names unique: `x`, then `x_1`, `x_2`, … in linear time overall. The views stay valid as long as the pool
/// lives.
class name_pool {
 public:
  std::string_view unique(std::string_view wish) {
    const auto [it, fresh] = next_.try_emplace(plain_text(wish), 1);
    if (fresh) return it->first;
    for (std::uint32_t& n = it->second;;) {
      const auto [other, free] = next_.try_emplace(message("{}_{}", it->first, n++), 1);
      if (free) return other->first;
    }
  }

 private:
  std::unordered_map<std::string, std::uint32_t> next_;
};

}  // namespace jax2onnx::detail
