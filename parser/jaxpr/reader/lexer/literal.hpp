// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jaxpr/reader/lexer/chars.hpp>

namespace jaxpr::reader {

/// The kind of Python scalar that a literal's text spells. The kind decides which dtypes the literal may have.
enum class literal_kind { none, boolean, integer, floating, complex, other };

/// The literal at the start of a text: its kind and its length in bytes. `none` if there is no literal.
struct literal_text {
  literal_kind kind = literal_kind::none;
  std::size_t size = 0;
};

constexpr bool starts_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_word(text[word.size()]));
}

constexpr std::size_t count_digits(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at - begin;
}

//= real = DIGITS [ "." { DIGIT } ] [ "e" [ "+" | "-" ] DIGITS ] | "inf" | "nan" ;
constexpr literal_text scan_real(std::string_view text, std::size_t at) {
  if (text.substr(at, 3) == "inf" || text.substr(at, 3) == "nan") return {literal_kind::floating, at + 3};
  std::size_t end = at + count_digits(text, at);
  if (end == at) return {};
  literal_kind kind = literal_kind::integer;
  if (end < text.size() && text[end] == '.') {
    kind = literal_kind::floating;
    ++end;
    end += count_digits(text, end);
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    const std::size_t digits = count_digits(text, exponent);
    if (digits != 0) kind = literal_kind::floating, end = exponent + digits;
  }
  return {kind, end};
}

//= complex = "(" [ "-" ] real ( "+" | "-" ) real "j" ")" ;
constexpr literal_text scan_complex(std::string_view text) {
  std::size_t at = 1;
  if (at < text.size() && text[at] == '-') ++at;
  const literal_text re = scan_real(text, at);
  if (re.kind == literal_kind::none || re.size >= text.size() || (text[re.size] != '+' && text[re.size] != '-'))
    return {};
  const literal_text im = scan_real(text, re.size + 1);
  if (im.kind == literal_kind::none || text.substr(im.size, 2) != "j)") return {};
  return {literal_kind::complex, im.size + 2};
}

//= number = [ "-" ] real [ "j" ] ;
constexpr literal_text scan_number(std::string_view text) {
  literal_text number = scan_real(text, text.starts_with("-") ? 1 : 0);
  if (number.kind != literal_kind::none && number.size < text.size() && text[number.size] == 'j')
    number = {literal_kind::complex, number.size + 1};
  if (number.size < text.size() && is_word(text[number.size])) return {};
  return number;
}

//= literal_text = "True" | "False" | number | complex | "[...]" | "(b'',)" ;
constexpr literal_text scan_literal(std::string_view text) {
  if (starts_word(text, "True")) return {literal_kind::boolean, 4};
  if (starts_word(text, "False")) return {literal_kind::boolean, 5};
  if (text.starts_with("[...]")) return {literal_kind::other, 5};
  if (text.starts_with("(b'")) {
    const std::size_t end = text.find("',)", 3);
    if (end != std::string_view::npos && text.substr(3, end - 3).find_first_of("'\n") == std::string_view::npos)
      return {literal_kind::other, end + 3};
    return {};
  }
  if (text.starts_with("(")) return scan_complex(text);
  return scan_number(text);
}

}  // namespace jaxpr::reader
