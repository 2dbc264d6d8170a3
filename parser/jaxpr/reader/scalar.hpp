#pragma once

#include <charconv>
#include <cstddef>
#include <limits>
#include <string_view>

#include <jaxpr/reader/lexer/literal.hpp>
#include <jaxpr/reader/raw.hpp>
#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

/// The value of `inf`, `nan` or a decimal number. Out of range it becomes infinity or zero.
inline double to_double(std::string_view text) {
  double result = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (status != std::errc::result_out_of_range) return result;
  // from_chars does not say whether the number is too small or too large.
  const bool small = text.find("e-") != std::string_view::npos || text.find_first_not_of("-0.") > text.find('.');
  const double magnitude = small ? 0.0 : std::numeric_limits<double>::infinity();
  return text.starts_with("-") ? -magnitude : magnitude;
}

/// Sets the value to the number `text`; false if `text` is not a real number. An integer above 64 bits becomes raw.
inline bool set_number(value& v, std::string_view text) {
  const literal_text number = scan_number(text);
  if (number.size != text.size()) return false;
  if (number.kind == literal_kind::integer) {
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), v.integer);
    v.tag = status == std::errc{} ? value::kind::integer : value::kind::raw;
    v.floating = to_double(text);
    return true;
  }
  if (number.kind != literal_kind::floating) return false;
  v.tag = value::kind::floating;
  v.floating = to_double(text);
  return true;
}

inline bool parse_number(state& s, value& v) {
  const char* begin = s.in.at;
  const literal_text number = scan_number(s.in.rest());
  if (number.kind == literal_kind::none) return false;
  s.in.advance(static_cast<std::ptrdiff_t>(number.size));
  return set_number(v, s.in.since(begin));
}

//= string = "'" { CHARACTER | "\" CHARACTER } "'" ;   (* or in double quotes, as Python's repr prints it *)
inline bool parse_string(state& s, value& v) {
  const char* end = string_end(s.in.at, s.in.last);
  if (!end) return false;
  v.tag = value::kind::string;
  s.in.advance(end - s.in.at);
  return true;
}

}  // namespace jaxpr::reader
