#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// The first code point of `s` and its length in bytes; a length of 0 if `s` does not start with valid UTF-8 (RFC
/// 3629).
struct utf8_char {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

constexpr utf8_char front_char(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(s[i])); };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (length == 1) return {lead, 1};
  if (length == 0 || length > s.size()) return {};
  std::uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < smallest[length] || code > 0x10ffff || surrogate ? utf8_char{} : utf8_char{code, length};
}

/// Whether `c` is a control character, or reorders or hides text on a terminal.
constexpr bool is_deceptive(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

/// `text` with `_` in place of every byte that is not UTF-8 and every character that is_deceptive.
inline std::string plain_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const utf8_char c = front_char(text);
    if (c.length == 0 || is_deceptive(c.code)) out += '_';
    else out += text.substr(0, c.length);
    text.remove_prefix(c.length == 0 ? 1 : c.length);
  }
  return out;
}

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
