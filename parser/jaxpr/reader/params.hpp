// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jaxpr/reader/value.hpp>

namespace jaxpr::reader {

constexpr std::string_view params_help = "parameters are separated by spaces, not by commas";

inline remembered_value& remembered_slot(state& s, std::string_view key) {
  const auto code = [](char c) { return static_cast<std::size_t>(static_cast<unsigned char>(c)); };
  const std::size_t i = key.size() * 7 + code(key.front()) * 5 + code(key[key.size() / 2]) * 3 + code(key.back());
  return s.remembered[i % s.remembered.size()];
}

/// If `old` has the key and the text of the parameter at the cursor, copies the value of `old` to `v` and returns true;
/// otherwise returns false. Both values share their elements.
inline bool reuse_value(state& s, const remembered_value& old, std::string_view key, value& v) {
  const std::string_view text = old.val.text;
  if (old.key != key || !s.in.on(text) || !ends_value(s.in, s.in.at + text.size())) return false;
  v = old.val;
  v.text = {s.in.at, text.size()};
  s.in.advance(static_cast<std::ptrdiff_t>(text.size()));
  return true;
}

//= value = body | NAME | plain | raw ;                (* NAME of a shared jaxpr: only if the key ends in "jaxpr" *)
inline void parse_value(state& s, std::string_view key, param_layout layout, value& v) {
  remembered_value& old = remembered_slot(s, key);
  if (reuse_value(s, old, key, v)) return;
  const checkpoint start(s);
  if (key == "name") {
    // A call of a shared jaxpr repeats its name, which may contain blanks, brackets and `=`.
    const std::string_view name = scan_odd_name(s);
    if (!name.empty() && ends_value(s.in, start.begin() + name.size())) {
      s.in.advance(static_cast<std::ptrdiff_t>(name.size()));
      v.text = name;
      return;
    }
  } else if (key.ends_with("jaxpr")) {
    const std::string_view name = scan_reference(s, false);
    if (!name.empty() && name != "None" && name != "True" && name != "False" &&
        ends_value(s.in, start.begin() + name.size())) {
      s.in.advance(static_cast<std::ptrdiff_t>(name.size()));
      refer(s, name, v);
      return;
    }
  }
  const bool read = parse_plain(s, v);
  if (read && ends_value(s.in, s.in.at)) {
    if (!start.passed_body(s) && !v.text.empty() && (!v.items.empty() || v.tag == value::kind::call)) old = {key, v};
    return;
  }
  // Free text may contain commas. A comma between any other value and the next parameter is an error, and so is any
  // text after a body.
  const bool comma = s.in.on(',') && v.tag != value::kind::name && v.tag != value::kind::raw;
  if (read && ((comma && ends_value(s.in, s.in.at + 1)) || v.tag == value::kind::body))
    fail_expected(s.in, "parse.expected-parameter", "a space and another parameter or ']'", params_help);
  start.restore(s);
  parse_raw(s, layout, start.passed_body(s), v);
}

//= params = { WS param } ;                            (* separated by blanks or line breaks, never by commas *)
//= param = key "=" value ;
inline list<param> parse_params(state& s) {
  const char* open = s.in.at;
  s.in.advance(1);
  const std::size_t mark = s.params.size();
  const param_layout layout = skip(s) ? param_layout::one_per_line : param_layout::one_line;
  while (!s.in.on(']')) {
    if (s.in.ended())
      fail("parse.expected-punctuation", s.in.from(open, open + 1),
           "expected ']' to close the parameters, found the end of the text");
    const char* equals = scan_key(s.in.at, s.in.last);
    if (!equals) fail_expected(s.in, "parse.expected-parameter", "a parameter 'key=value' or ']'", params_help);
    param p;
    p.key = {s.in.at, static_cast<std::size_t>(equals - s.in.at)};
    check_identifier(s.in, p.key, s.options.max_identifier, "key");
    s.in.advance(equals + 1 - s.in.at);
    parse_value(s, p.key, layout, p.val);
    s.params.push(p);
    skip(s);
  }
  s.in.advance(1);
  return take(s.memory, s.params, mark);
}

}  // namespace jaxpr::reader
