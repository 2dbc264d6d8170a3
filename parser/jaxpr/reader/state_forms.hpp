// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jaxpr/reader/atom.hpp>
#include <jaxpr/reader/raw.hpp>

namespace jaxpr::reader {

/// The end of the index of a reference, one or more `[…]` or `{…}`. Null if the index does not close on its line or has
/// more than `longest` bytes.
inline const char* index_end(const cursor& in, const char* p) {
  constexpr std::ptrdiff_t longest = 4096;  // bounds the lookahead for each equation
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

/// Appends the variables of an index to the operands, in order. Other words, such as `Slice` and `None`, are skipped.
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

//= masks = { ( "mask=" | "other=" ) atom } ;          (* only Pallas, after the reference or the new value *)
/// Appends the masks to the operands, and their texts to the parameters. If there is at least one, the primitive
/// becomes `masked`.
inline void parse_masks(state& s, equation& e, std::string_view masked) {
  const std::size_t mark = s.params.size();
  while (s.in.on(" mask=") || s.in.on(" other=")) {
    skip(s);
    param p;
    const char* equals = scan_key(s.in.at, s.in.last);
    p.key = {s.in.at, static_cast<std::size_t>(equals - s.in.at)};
    s.in.advance(equals + 1 - s.in.at);
    const char* begin = s.in.at;
    s.atoms.push(parse_atom(s, false));
    p.val.text = s.in.since(begin);
    s.params.push(p);
  }
  if (s.params.size() == mark) return;
  e.primitive = masked;
  e.params = take(s.memory, s.params, mark);
}

/// Parses the rest of `binder <- ref`, from the arrow on.
inline void parse_get(state& s, equation& e) {
  s.in.advance(2);
  skip(s);
  e.form = equation_form::get;
  e.primitive = "get";
  s.atoms.push(parse_ref(s, e.index));
  add_index_variables(s, e.index);
  parse_masks(s, e, "masked_load");
}

/// Parses the rest of `binder, ref <- ref, atom`, from the first comma on.
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
  parse_masks(s, e, "masked_swap");
}

/// Parses `ref <- atom` or `ref += atom`, from the reference on.
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

/// Returns whether operands with indices follow the name of a primitive, as JAX prints the copies and semaphores of
/// Pallas: `dma_start(p0) a[...] -> b[0,:] c[...]`.
inline bool at_access(const cursor& in) {
  if (in.on('(') || in.on("[dec]")) return true;
  if (!in.on(' ')) return false;
  cursor word = in;
  word.at += 1;
  const variable_name name = scan_variable(word);
  if (name.text.empty()) return false;
  const char next = word.peek(static_cast<std::ptrdiff_t>(name.text.size()));
  return next == '[' || next == '{';
}

//= access = TEXT ;                                    (* up to the end of the line or, outside of brackets, ";" *)
inline void parse_access(state& s, equation& e) {
  const char* const begin = s.in.at;
  int depth = 0;
  const char* p = begin;
  for (; p != s.in.last && *p != '\n' && (depth > 0 || *p != ';'); ++p) {
    if (*p == '[' || *p == '{' || *p == '(') ++depth;
    if ((*p == ']' || *p == '}' || *p == ')') && --depth < 0) break;
    if (depth == 0 && std::string_view(p, static_cast<std::size_t>(s.in.last - p)).starts_with(" in (")) break;
  }
  while (p != begin && is_blank(p[-1])) --p;
  e.form = equation_form::access;
  e.index = {begin, static_cast<std::size_t>(p - begin)};
  s.in.advance(p - begin);
  const std::size_t options = e.index.find(' ');
  if (options != std::string_view::npos) add_index_variables(s, e.index.substr(options));
}

}  // namespace jaxpr::reader
