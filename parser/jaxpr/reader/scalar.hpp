// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>

#include <jaxpr/detail/real.hpp>
#include <jaxpr/reader/lexer/literal.hpp>
#include <jaxpr/reader/raw.hpp>
#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

/// Sets the value to the number `text`; returns false if `text` is not a real number. An integer that does not fit into
/// std::int64_t becomes raw.
inline bool set_number(value& v, std::string_view text) {
  const literal_text number = scan_number(text);
  if (number.size != text.size()) return false;
  if (number.kind == literal_kind::integer) {
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), v.integer);
    v.tag = status == std::errc{} ? value::kind::integer : value::kind::raw;
    v.floating = detail::read_real(text).value_or(0);
    return true;
  }
  if (number.kind != literal_kind::floating) return false;
  v.tag = value::kind::floating;
  v.floating = detail::read_real(text).value_or(0);
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
