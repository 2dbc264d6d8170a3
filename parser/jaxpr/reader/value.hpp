// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jaxpr/reader/checkpoint.hpp>
#include <jaxpr/reader/comments.hpp>
#include <jaxpr/reader/names.hpp>
#include <jaxpr/reader/productions.hpp>
#include <jaxpr/reader/raw.hpp>
#include <jaxpr/reader/scalar.hpp>
#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

constexpr std::string_view body_start = "{ lambda";

inline bool at_body(const cursor& in) { return in.on(body_start) && (is_blank(in.peek(8)) || in.peek(8) == ';'); }

//= element = plain | TEXT ;                           (* TEXT: up to "," or the closing bracket, brackets balanced *)
inline bool parse_element(state& s, value& v, bool may_be_bodies) {
  const checkpoint start(s);
  if (parse_plain(s, v)) {
    if (s.in.on(',') || s.in.on(')') || s.in.on(']') || (may_be_bodies && v.tag == value::kind::body)) return true;
    s.in.skip_blanks();
    if (s.in.on(',') || s.in.on(')') || s.in.on(']')) return true;
    if (may_be_bodies && v.tag == value::kind::name && (at_body(s.in) || is_word_start(s.in.peek()))) return true;
  }
  start.restore(s);
  const char* end = balanced_scan(s).element(start.begin());
  if (!end || end == start.begin() || (start.passed_body(s) && end < s.body_end)) return false;
  s.in.jump(end);
  while (is_blank(end[-1])) --end;
  s.in.done = end;
  v = value{};
  v.text = {start.begin(), static_cast<std::size_t>(end - start.begin())};
  return true;
}

//= bodies = "(" inner { WS inner } ")" ;              (* no commas *)
//= inner = body | NAME ;                              (* NAME of a shared jaxpr *)
inline bool parse_bodies(state& s, value& v, std::size_t mark, const cursor& first) {
  if (s.values[mark].tag != value::kind::body) {
    // Rewinds, since the name that was read may be the start of a longer name with blanks.
    s.in = first;
    s.values.shrink(mark);
  }
  while (!s.in.on(')')) {
    value item;
    const char* begin = s.in.at;
    if (at_body(s.in)) {
      item.tag = value::kind::body;
      item.body = parse_body(s);
    } else {
      const std::string_view name = scan_reference(s, true);
      if (name.empty()) return false;
      s.in.advance(static_cast<std::ptrdiff_t>(name.size()));
      refer(s, name, item);
    }
    item.text = s.in.since(begin);
    s.values.push(item);
    skip(s);
  }
  s.in.advance(1);
  v.tag = value::kind::tuple;
  v.items = take(s.memory, s.values, mark);
  return true;
}

//= tuple = "(" [ element { "," element } [ "," ] ] ")" | bodies ;
//= sequence = "[" [ element { "," element } ] "]" ;
inline bool parse_items(state& s, value& v) {
  const nested level(s);
  const char close = closing(*s.in.at);
  s.in.advance(1);
  const std::size_t mark = s.values.size();
  s.in.skip_blanks();
  const cursor first = s.in;
  while (!s.in.on(close)) {
    value item;
    if (!parse_element(s, item, close == ')' && s.values.size() == mark)) return false;
    s.values.push(item);
    s.in.skip_blanks();
    // A comment can only follow a body; elsewhere `#` is text.
    if (item.tag == value::kind::body) skip(s);
    if (s.in.on(',')) {
      s.in.advance(1);
      s.in.skip_blanks();
    } else if (close == ')' && s.values.size() == mark + 1) {
      // One element and no comma: Python prints a comma even after a single element, but JAX prints tuples of jaxprs
      // without commas.
      return (item.tag == value::kind::body || item.tag == value::kind::name) && parse_bodies(s, v, mark, first);
    } else if (!s.in.on(close)) {
      return false;
    }
  }
  s.in.advance(1);
  v.tag = close == ')' ? value::kind::tuple : value::kind::sequence;
  v.items = take(s.memory, s.values, mark);
  return true;
}

/// Replaces a call such as `np.int64(3)` by its argument, a number or a boolean, and keeps the text of the call. Other
/// values stay unchanged.
inline void unwrap_numpy(value& v) {
  if (!v.callee.starts_with("np.") || v.items.size() != 1 || !v.keywords.empty()) return;
  const value inner = v.items.front();
  if (inner.tag != value::kind::integer && inner.tag != value::kind::floating && inner.tag != value::kind::boolean)
    return;
  const std::string_view text = v.text;
  v = inner;
  v.text = text;
}

//= call = NAME "(" [ argument { "," argument } ] ")" ;
//= argument = [ WORD "=" ] element ;                 (* after an argument with WORD, all have WORD, as in Python *)
inline bool parse_call(state& s, value& v, std::string_view callee) {
  const nested level(s);
  s.in.advance(1);
  const std::size_t values = s.values.size(), keywords = s.keywords.size();
  s.in.skip_blanks();
  while (!s.in.on(')')) {
    keyword_value argument;
    if (const char* equals = scan_key(s.in.at, s.in.last)) {
      argument.key = {s.in.at, static_cast<std::size_t>(equals - s.in.at)};
      s.in.advance(equals + 1 - s.in.at);
    } else if (s.keywords.size() != keywords) {
      return false;
    }
    const char* begin = s.in.at;
    if (!parse_element(s, argument.val, false)) return false;
    argument.val.text = {begin, static_cast<std::size_t>(s.in.done - begin)};
    if (argument.key.empty()) s.values.push(argument.val);
    else s.keywords.push(argument);
    s.in.skip_blanks();
    if (s.in.on(',')) {
      s.in.advance(1);
      s.in.skip_blanks();
    } else if (!s.in.on(')')) {
      return false;
    }
  }
  s.in.advance(1);
  v.tag = value::kind::call;
  v.callee = callee;
  v.items = take(s.memory, s.values, values);
  v.keywords = take(s.memory, s.keywords, keywords);
  return true;
}

//= word = "None" | "True" | "False" | "nan" | "inf" | NAME | call ;
inline bool parse_word(state& s, value& v) {
  const char* begin = s.in.at;
  if (!scan_let(s).empty()) {
    v.tag = value::kind::body;
    v.body = parse_program(s);
    return true;
  }
  while (!s.in.ended() && (is_word(*s.in.at) || *s.in.at == '.')) ++s.in.at;
  s.in.done = s.in.at;
  const std::string_view text = s.in.since(begin);
  if (s.in.on('(')) {
    if (!parse_call(s, v, text)) return false;
    v.text = s.in.since(begin);
    unwrap_numpy(v);
    return true;
  }
  v.tag = value::kind::name;
  if (text == "None") v.tag = value::kind::none;
  if (text == "True" || text == "False" || text == "np.True_" || text == "np.False_") {
    v.tag = value::kind::boolean;
    v.flag = text.find("True") != std::string_view::npos;
    v.integer = v.flag;
    v.floating = v.flag;
  }
  if (text == "nan" || text == "inf") set_number(v, text);
  return true;
}

//= plain = body | program | number | string | word | tuple | sequence ;
inline bool parse_plain(state& s, value& v) {
  if (s.in.ended()) return false;
  const char* begin = s.in.at;
  const char c = *begin;
  v = value{};
  bool read = false;
  if (is_word_start(c)) {
    read = parse_word(s, v);
  } else if (is_digit(c) || c == '-') {
    read = parse_number(s, v);
  } else if (c == '(' || c == '[') {
    read = parse_items(s, v);
  } else if (c == '\'' || c == '"') {
    read = parse_string(s, v);
  } else if (at_body(s.in)) {
    v.tag = value::kind::body;
    v.body = parse_body(s);
    read = true;
  }
  v.text = {begin, static_cast<std::size_t>(s.in.done - begin)};
  return read;
}

}  // namespace jaxpr::reader
