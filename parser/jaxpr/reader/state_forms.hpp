#pragma once

#include <cstddef>
#include <string_view>

#include <jaxpr/reader/atom.hpp>

namespace jaxpr::reader {

/// The end of the index of a reference, one or more `[…]` or `{…}`; null if it does not close on its line.
inline const char* index_end(const cursor& in, const char* p) {
  constexpr std::ptrdiff_t longest = 4096;  // or each equation could cost as much as the longest line
  const char* last = in.last - p > longest ? p + longest : in.last;
  int depth = 0;
  for (; p != last && *p != '\n'; ++p) {
    if (*p == '[' || *p == '{' || *p == '(') {
      ++depth;
    } else if (*p == ']' || *p == '}' || *p == ')') {
      if (--depth < 0) return nullptr;
    } else if (depth == 0) {
      return p;
    }
  }
  return depth == 0 ? p : nullptr;
}

/// The operator `<-` or `+=` of `b[0] <- c`; null if the text at the cursor does not have this form.
inline const char* scan_state_operator(const cursor& in) {
  const variable_name name = scan_variable(in);
  if (name.text.empty()) return nullptr;
  const char* p = in.at + name.text.size();
  if (p == in.last || (*p != '[' && *p != '{')) return nullptr;
  p = index_end(in, p);
  if (!p) return nullptr;
  while (p != in.last && *p == ' ') ++p;
  if (in.last - p < 3 || !is_blank(p[2])) return nullptr;
  const std::string_view word(p, 2);
  return word == "<-" || word == "+=" ? p : nullptr;
}

//= ref = var { "[" TEXT "]" | "{" TEXT "}" } ;        (* x[...]  x[:]  x[i]  x[0,:]  x[1:3]  x[i:i+2] *)
inline atom parse_ref(state& s, std::string_view& index) {
  const variable_name name = scan_variable(s.in);
  if (name.text.empty()) fail_expected(s.in, "parse.expected-operand", "a reference such as x[...]");
  const scopes::variable* v = s.variables.find(name);
  if (!v) fail_unbound(s, name.text);
  s.in.advance(static_cast<std::ptrdiff_t>(name.text.size()));
  if (!s.in.on('[') && !s.in.on('{')) fail_expected(s.in, "parse.expected-punctuation", "'[' after a reference");
  const char* end = index_end(s.in, s.in.at);
  if (!end) fail_expected(s.in, "parse.expected-punctuation", "an index whose brackets close on its line");
  index = {s.in.at, static_cast<std::size_t>(end - s.in.at)};
  s.in.advance(end - s.in.at);
  return {name.text, v->annotation, v->slot};
}

/// Appends the variables of an index to the operands, in order. Other words, such as `Slice` and `None`, do not count.
inline void add_index_variables(state& s, std::string_view index) {
  const char* p = index.data();
  const char* const end = p + index.size();
  while (p != end) {
    if (!is_word(*p)) {
      ++p;
      continue;
    }
    cursor word = s.in;
    word.at = p;
    const variable_name name = scan_variable(word);
    if (!name.text.empty())
      if (const scopes::variable* v = s.variables.find(name)) s.atoms.push({name.text, v->annotation, v->slot});
    while (p != end && is_word(*p)) ++p;
  }
}

/// `binder <- ref`, with the cursor at the arrow.
inline void parse_get(state& s, equation& e) {
  s.in.advance(2);
  skip(s);
  e.form = equation_form::get;
  e.primitive = "get";
  s.atoms.push(parse_ref(s, e.index));
  add_index_variables(s, e.index);
}

/// `binder, ref <- ref, atom`, with the cursor at the comma.
inline void parse_swap(state& s, equation& e) {
  s.in.advance(1);
  skip(s);
  e.form = equation_form::swap;
  e.primitive = "swap";
  std::string_view stored;
  const char* begin = s.in.at;
  parse_ref(s, stored);
  const std::string_view left = s.in.since(begin);
  skip(s);
  expect(s.in, "<-", "after the reference");
  skip(s);
  begin = s.in.at;
  s.atoms.push(parse_ref(s, e.index));
  if (s.in.since(begin) != left)
    fail("parse.expected-operand", s.in.from(begin, s.in.at),
         concat({"expected the reference '", left, "' again, found '", s.in.since(begin), "'"}));
  skip(s);
  expect(s.in, ",", "before the new value");
  skip(s);
  s.atoms.push(parse_atom(s, false));
  add_index_variables(s, e.index);
}

/// `ref <- atom` or `ref += atom`, with the cursor at the reference.
inline void parse_update(state& s, equation& e) {
  s.atoms.push(parse_ref(s, e.index));
  skip(s);
  e.form = s.in.on("<-") ? equation_form::swap : equation_form::addupdate;
  e.primitive = s.in.on("<-") ? "swap" : "addupdate";
  s.in.advance(2);
  skip(s);
  s.atoms.push(parse_atom(s, false));
  add_index_variables(s, e.index);
}

}  // namespace jaxpr::reader
