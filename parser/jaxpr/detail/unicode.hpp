#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <jaxpr/detail/text.hpp>

namespace jaxpr::detail {

/// A code point and its length in bytes. A byte that is not UTF-8 stands for itself, with `valid` false.
struct code_point {
  char32_t value = 0;
  std::size_t size = 1;
  bool valid = true;
};

constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// The code point at `text[at]`.
inline code_point decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned head = byte(at);
  if (head < 0x80) return {head, 1, true};
  const std::size_t size = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
  if (head < 0xc2 || head > 0xf4 || at + size > text.size()) return {head, 1, false};
  char32_t value = head & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_continuation(text[at + i])) return {head, 1, false};
    value = value << 6 | (byte(at + i) & 0x3f);
  }
  return {value, size, true};
}

/// Control characters, and the marks that reorder text: a terminal could show something else than the file holds.
constexpr bool is_unsafe(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0x200e || c == 0x200f || c == 0x061c || c == 0x2028 || c == 0x2029 || c == 0xfeff;
}

/// `bytes`, the spelling of `c`, as a terminal may see it.
inline std::string shown(const code_point& c, std::string_view bytes) {
  if (!c.valid) return "\\x" + hex(static_cast<unsigned>(c.value), 2);
  if (c.value == '\t') return " ";
  if (is_unsafe(c.value)) return concat({"\\u{", hex(static_cast<unsigned>(c.value)), "}"});
  return std::string(bytes);
}

}  // namespace jaxpr::detail
