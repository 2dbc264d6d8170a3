// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <jaxpr/reader/comments.hpp>
#include <jaxpr/reader/lexer/literal.hpp>
#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

//= var = LOWERCASE { LOWERCASE } { "_" } | "_" ;
inline variable_name scan_variable(const cursor& in) {
  const char* p = in.at;
  std::uint32_t number = 0;
  while (p != in.last && is(*p, lower)) number = number * 26 + static_cast<std::uint32_t>(*p++ - 'a');
  const std::ptrdiff_t letters = p - in.at;
  const char* letters_end = p;
  while (p != in.last && *p == '_') ++p;
  if (p != in.last && is_word(*p)) return {};
  // JAX counts in base 26 without leading a's. A name of any other form, or with more than six letters, gets no number.
  const bool counted = letters > 0 && letters <= 6 && p == letters_end && (letters == 1 || *in.at != 'a');
  return {{in.at, static_cast<std::size_t>(p - in.at)}, counted ? number : variable_name::no_number};
}

inline variable_name parse_variable(state& s, std::string_view code, std::string_view what) {
  const variable_name name = scan_variable(s.in);
  if (name.text.empty()) fail_expected(s.in, code, what);
  check_identifier(s.in, name.text, s.options.max_identifier, "name");
  s.in.advance(static_cast<std::ptrdiff_t>(name.text.size()));
  return name;
}

/// Gives a binder its slot. Fails if the body already binds the name, unless the name is `_`.
inline void bind(state& s, const variable_name& name, binder& b) {
  if (s.variables.bind(name, b.annotation, b.slot)) return;
  fail("parse.redefined-variable", s.in.from(name.text),
       concat({"expected a new variable, found '", name.text, "', which this jaxpr already binds"}),
       "a jaxpr binds each name once");
}

/// Fails because `text` could be any of the results that are named `_`. `count` is the number of such results in words
/// or digits.
[[noreturn]] inline void fail_ambiguous(const state& s, std::string_view text, std::string_view count) {
  throw error(ambiguous_dropped(s.in.from(text), count));
}

/// Finds the variable of a read of `_`, which is the name of every dropped result. If several variables have this name,
/// type_inference finds the variable later. Fails if no variable has this name.
inline atom resolve_dropped(state& s, std::string_view text, bool is_result) {
  const scopes::frame& top = s.variables.top();
  if (top.dropped == 1) return {text, top.last_dropped.annotation, top.last_dropped.slot};
  if (top.dropped == 0)
    fail("parse.unbound-variable", s.in.from(text), "expected a bound variable, found '_' before any result '_'");
  s.needs_inference = true;
  return {text, is_result ? top.last_dropped.annotation : nullptr, atom::dropped_slot};
}

[[noreturn]] inline void fail_unbound(state& s, std::string_view text) {
  fail("parse.unbound-variable", s.in.from(text),
       concat({"expected a variable bound in this jaxpr, found '", text, "'"}),
       "a jaxpr reads only its own constvars, invars and earlier results");
}

//= literal = literal_text [ ":" type ] ;             (* ":" type since JAX 0.6 *)
inline atom parse_literal(state& s) {
  const char* begin = s.in.at;
  const literal_text literal = scan_literal(s.in.rest());
  if (literal.kind == literal_kind::none)
    fail_expected(s.in, "parse.expected-operand", "a variable or a literal", "operands are separated by spaces");
  s.in.advance(static_cast<std::ptrdiff_t>(literal.size));
  atom a;
  a.text = s.in.since(begin);
  if (s.in.on(':') && !is_blank(s.in.peek(1))) {
    s.in.advance(1);
    a.annotation = parse_type(s);
  } else {
    s.needs_inference = true;
  }
  return a;
}

/// Fails unless the operand ends at the cursor: `1.0abc` is not a literal followed by a name.
inline void expect_operand_end(state& s) {
  if (s.in.ended() || is_blank(*s.in.at) || s.in.on(',') || s.in.on(')') || s.in.on(';')) return;
  fail_expected(s.in, "parse.expected-operand", "a space or ',' after an operand");
}

//= atom = var | literal ;
inline atom parse_atom(state& s, bool is_result) {
  if (s.in.ended() || !is(*s.in.at, lower | underscore)) {
    const atom a = parse_literal(s);
    expect_operand_end(s);
    return a;
  }
  const variable_name name = scan_variable(s.in);
  // A variable is read without a type, so `inf:f32[]` is a literal even if a variable `inf` exists.
  const bool typed = s.in.peek(static_cast<std::ptrdiff_t>(name.text.size())) == ':';
  if (!name.text.empty() && !typed) {
    if (const scopes::variable* v = s.variables.find(name)) {
      s.in.advance(static_cast<std::ptrdiff_t>(name.text.size()));
      expect_operand_end(s);
      return {name.text, v->annotation, v->slot};
    }
    if (name.text == "_") {
      s.in.advance(1);
      expect_operand_end(s);
      return resolve_dropped(s, name.text, is_result);
    }
  }
  if (name.text.empty() || scan_literal(name.text).size == name.text.size()) {
    const atom a = parse_literal(s);
    expect_operand_end(s);
    return a;
  }
  if (typed)
    fail("parse.expected-operand", s.in.from(name.text.data(), name.text.data() + name.text.size() + 1),
         concat({"expected an operand, found the binder '", name.text, ":'"}),
         "equations are separated by line breaks or ';', and an equation's results precede its '='");
  fail_unbound(s, name.text);
}

}  // namespace jaxpr::reader
