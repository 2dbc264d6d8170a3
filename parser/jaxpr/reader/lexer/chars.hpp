// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Character classes. The classes come from a table because the format does not depend on the process's locale.
namespace jaxpr::reader {

enum char_class : std::uint8_t {
  lower = 1,
  upper = 2,
  digit = 4,
  underscore = 8,
  blank = 16,
  type_end = 32,        ///< ends a type, outside the type's brackets
  primitive_mark = 64,  ///< allowed inside a primitive's name, like letters and digits
};

inline constexpr std::array<std::uint8_t, 256> char_classes = [] {
  std::array<std::uint8_t, 256> table{};
  const auto add = [&table](std::string_view chars, std::uint8_t mask) {
    for (const char c : chars) table[static_cast<unsigned char>(c)] |= mask;
  };
  add("abcdefghijklmnopqrstuvwxyz", lower);
  add("ABCDEFGHIJKLMNOPQRSTUVWXYZ", upper);
  add("0123456789", digit);
  add("_", underscore);
  add(" \n\r\t", blank);
  add(" \n\r\t,;.)=]}>", type_end);
  add("-./:<>", primitive_mark);
  return table;
}();

constexpr bool is(char c, std::uint8_t mask) { return (char_classes[static_cast<unsigned char>(c)] & mask) != 0; }
constexpr bool is_blank(char c) { return is(c, blank); }
constexpr bool is_digit(char c) { return is(c, digit); }
constexpr bool is_word_start(char c) { return is(c, lower | upper | underscore); }
constexpr bool is_word(char c) { return is(c, lower | upper | underscore | digit); }
constexpr bool is_primitive(char c) { return is(c, lower | upper | underscore | digit | primitive_mark); }

constexpr bool is_identifier(std::string_view text) {
  if (text.empty() || !is_word_start(text.front())) return false;
  for (const char c : text)
    if (!is_word(c)) return false;
  return true;
}

constexpr char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

}  // namespace jaxpr::reader
