// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <jaxpr/detail/text.hpp>

namespace jaxpr::detail {

/// A code point and its length in bytes. For a byte that is not UTF-8 (RFC 3629), `value` is the byte and `valid` is
/// false.
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
  constexpr char32_t smallest[] = {0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (value < smallest[size - 2] || value > 0x10ffff || surrogate) return {head, 1, false};
  return {value, size, true};
}

/// True for control characters and for characters that hide or reorder text. With such characters, a terminal could
/// display something other than the file's content.
constexpr bool is_unsafe(char32_t c) {
  constexpr char32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},
                                    {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
                                    {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  if (c >= 0x20 && c < 0x7f) return false;
  for (const auto& [first, last] : ranges)
    if (c >= first && c <= last) return true;
  return false;
}

constexpr std::size_t no_offset = static_cast<std::size_t>(-1);

/// The offset of the first byte that is not UTF-8; no_offset if there is none.
inline std::size_t find_invalid_utf8(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text.size() - i >= sizeof word) {
      std::memcpy(&word, text.data() + i, sizeof word);
      if ((word & 0x8080808080808080u) == 0) {
        i += sizeof word;
        continue;
      }
    }
    const code_point c = decode(text, i);
    if (!c.valid) return i;
    i += c.size;
  }
  return no_offset;
}

/// The offset of the first byte that is not UTF-8 or begins an unsafe character other than a tab, a line feed or a
/// carriage return; no_offset if there is none.
inline std::size_t find_unsafe(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const code_point c = decode(text, i);
    const bool blank = c.value == '\t' || c.value == '\n' || c.value == '\r';
    if (!blank && (!c.valid || is_unsafe(c.value))) return i;
    i += c.size;
  }
  return no_offset;
}

/// The text to show for `c`, which `bytes` encode: an escape sequence if `c` is unsafe or invalid, a blank for a tab,
/// otherwise `bytes`.
inline std::string shown(const code_point& c, std::string_view bytes) {
  if (!c.valid) return "\\x" + hex(static_cast<unsigned>(c.value), 2);
  if (c.value == '\t') return " ";
  if (is_unsafe(c.value)) return concat({"\\u{", hex(static_cast<unsigned>(c.value)), "}"});
  return std::string(bytes);
}

}  // namespace jaxpr::detail
