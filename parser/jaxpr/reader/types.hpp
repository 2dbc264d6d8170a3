// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

#include <jaxpr/ast.hpp>
#include <jaxpr/detail/arena.hpp>
#include <jaxpr/detail/type_table.hpp>
#include <jaxpr/detail/unicode.hpp>
#include <jaxpr/options.hpp>
#include <jaxpr/reader/lexer/cursor.hpp>

namespace jaxpr::reader {

using detail::arena;
using detail::stack;
using detail::type_table;

/// The parts of the parser's state that reading a type needs.
struct type_reader {
  cursor& in;
  arena& memory;
  type_table& table;
  stack<extent>& extents;
  const parse_options& options;
};

/// Returns whether `text` may be a symbolic expression: words, operators and parentheses with at least one word, but
/// not a negative number.
inline bool is_symbolic(std::string_view text) {
  constexpr std::string_view operators = "+-*^(), ";
  if (text.front() == '-' && text.find_first_not_of("0123456789", 1) == std::string_view::npos) return false;
  for (const char c : text)
    if (!is_word(c) && operators.find(c) == std::string_view::npos && static_cast<unsigned char>(c) < 0x80)
      return false;
  return text.find_first_not_of(operators) != std::string_view::npos;
}

//= dim = symbolic [ "@" axis | "@(" axis { "," axis } ")" ] ;
//= symbolic = DIGITS | expression ;
inline extent parse_extent(const type_reader& r, const char* begin, const char* end) {
  while (begin != end && *begin == ' ') ++begin;
  while (begin != end && end[-1] == ' ') --end;
  const char* stop = begin;
  while (stop != end && *stop != '@') ++stop;
  const std::string_view text(begin, static_cast<std::size_t>(stop - begin));
  const auto bad = [&](std::string_view found) {
    fail("parse.expected-dimension", r.in.from(begin, end == begin ? end + 1 : end),
         concat({"expected a dimension, found ", found}), "a dimension is a number or an expression such as 2*b + 1");
  };
  if (text.empty()) bad(end == begin ? concat({"'", {end, 1}, "'"}) : "a sharding annotation without a dimension");
  extent result;
  if (is_digit(text.front()) && text.find_first_not_of("0123456789") == std::string_view::npos) {
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), result.size);
    if (status != std::errc{}) bad("a number above 9223372036854775807");
    return result;
  }
  if (!is_symbolic(text)) bad(concat({"'", text, "'"}));
  result.expression = text;
  return result;
}

/// The dimensions in `[…]`. `open` is at the opening bracket, `end` is past the closing one.
inline list<extent> parse_extents(const type_reader& r, const char* open, const char* end) {
  const std::size_t mark = r.extents.size();
  const char* begin = open + 1;
  int depth = 0;
  for (const char* p = begin; p != end - 1; ++p) {
    if (*p == '(') ++depth;
    if (*p == ')') --depth;
    if (*p == ';' && depth == 0) {  // old versions print named axes as in i32[3;i:2]
      if (p == open + 1) return {};
      r.extents.push(parse_extent(r, begin, p));
      return take(r.memory, r.extents, mark);
    }
    if (*p == ',' && depth == 0) {
      r.extents.push(parse_extent(r, begin, p));
      begin = p + 1;
    }
  }
  if (begin != open + 1 || begin != end - 1) r.extents.push(parse_extent(r, begin, end - 1));
  return take(r.memory, r.extents, mark);
}

/// The position after the bracket that closes the bracket at `p`. Fails if the line has no closing bracket of the same
/// kind, since a type does not span lines.
inline const char* closing_bracket(const type_reader& r, const char* p) {
  const char close = *p == '<' ? '>' : closing(*p);
  int depth = 0;
  for (; p != r.in.last && *p != '\n'; ++p) {
    if (*p == '[' || *p == '{' || *p == '(' || *p == '<') ++depth;
    if ((*p != ']' && *p != '}' && *p != ')' && *p != '>') || --depth > 0) continue;
    if (*p == close) return p + 1;
    break;
  }
  cursor there = r.in;
  there.at = p;
  fail_expected(there, "parse.expected-punctuation", concat({"'", {&close, 1}, "' to close the type"}));
}

//= array_type = dtype [ "<" memory ">" ] "[" [ dim { "," dim } ] [ ";" axes ] "]" [ "{" vma "}" ] ;
//= dtype = WORD | "key<" impl ">" ;
inline void parse_array_type(const type_reader& r, const char* begin, const char* end, type& t) {
  const char* p = begin;
  while (p != end && is_word(*p)) ++p;
  const char* dtype_end = p;
  if (p != end && *p == '<') {
    p = closing_bracket(r, p);
    if (std::string_view(begin, static_cast<std::size_t>(dtype_end - begin)) == "key") dtype_end = p;
  }
  if (p >= end || *p != '[') return;
  t.kind = type_kind::array;
  t.dtype = {begin, static_cast<std::size_t>(dtype_end - begin)};
  t.dims = parse_extents(r, p, closing_bracket(r, p));
}

//= type = array_type | ( "Ref" | "MemRef" ) [ "<" space ">" ] "{" array_type "}" | WORD ;
inline const type* make_type(const type_reader& r, std::string_view text) {
  type t;
  t.text = text;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const char* p = begin;
  while (p != end && is_word(*p)) ++p;
  const std::string_view head(begin, static_cast<std::size_t>(p - begin));
  if (p != end && *p == '<') p = closing_bracket(r, p);
  if ((head == "Ref" || head == "MemRef") && p != end && *p == '{') {
    parse_array_type(r, p + 1, end - 1, t);
    t.kind = type_kind::ref;
  } else {
    parse_array_type(r, begin, end, t);
  }
  const type* made = r.memory.make(t);
  r.table.insert(made);
  return made;
}

/// Fails if a type has control characters, or characters that hide or reorder text.
inline void check_visible(const cursor& in, std::string_view text) {
  const std::size_t at = detail::find_unsafe(text);
  if (at == detail::no_offset) return;
  const detail::code_point c = detail::decode(text, at);
  fail("parse.invisible", in.from(text.substr(at, c.size)),
       concat({"expected a type without control and invisible characters, found ",
               detail::shown(c, text.substr(at, c.size))}));
}

/// Reads a type. Outside its brackets, a type ends at a blank or at one of `, ; . ) = ] } >`. `previous` is the last
/// type read, which most annotations repeat.
inline const type* parse_type(const type_reader& r, const type*& previous) {
  cursor& in = r.in;
  if (previous && in.on(previous->text)) {
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(previous->text.size());
    if (size == in.last - in.at || is(in.at[size], type_end)) {
      in.advance(size);
      return previous;
    }
  }
  const char* begin = in.at;
  const char* p = begin;
  if (p == in.last || !is_word_start(*p))
    fail_expected(in, "parse.expected-type", "a type", "types look like f32[2,3], key<fry>[] or Ref{f32[4]}");
  while (p != in.last && !is(*p, type_end))
    p = is_word(*p) || (*p != '[' && *p != '<' && *p != '{') ? p + 1 : closing_bracket(r, p);
  const std::string_view text(begin, static_cast<std::size_t>(p - begin));
  check_identifier(in, text, r.options.max_identifier, "type");
  const type* found_type = r.table.find(text);
  if (!found_type) check_visible(in, text);
  previous = found_type ? found_type : make_type(r, text);
  in.advance(p - begin);
  return previous;
}

}  // namespace jaxpr::reader
