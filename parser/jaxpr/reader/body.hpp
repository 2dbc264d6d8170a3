// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <jaxpr/reader/equation.hpp>

namespace jaxpr::reader {

constexpr std::string_view body_help = "a jaxpr has the form { lambda constvars ; invars. let equations in (results) }";

//= binders = { binder } ;                             (* separated by blanks or line breaks *)
inline list<binder> parse_binders(state& s, std::string_view end) {
  const std::size_t mark = s.binders.size();
  skip(s);
  while (!s.in.on(end)) {
    if (s.in.ended() || !is(*s.in.at, lower | underscore))
      fail_expected(s.in, "parse.expected-binder", concat({"a variable or '", end, "'"}), body_help);
    const cursor before = s.in;
    const variable_name name = parse_binder(s);
    if (is_untyped_after_typed(s, mark))
      fail_expected(before, "parse.expected-binder", concat({"'", end, "' or another variable with its type"}),
                    body_help);
    bind(s, name, s.binders.back());
    skip(s);
  }
  s.in.advance(1);
  return take(s.memory, s.binders, mark);
}

//= results = "(" [ atom { "," atom } [ "," ] ] ")" ;
inline list<atom> parse_results(state& s) {
  expect(s.in, "(", "before the results");
  const std::size_t mark = s.atoms.size();
  skip(s);
  while (!s.in.on(')')) {
    s.atoms.push(parse_atom(s, true));
    skip(s);
    if (s.in.on(',')) {
      s.in.advance(1);
      skip(s);
    } else if (!s.in.on(')')) {
      fail_expected(s.in, "parse.expected-punctuation", "',' or ')' after a result");
    }
  }
  s.in.advance(1);
  return take(s.memory, s.atoms, mark);
}

/// The data() of a list of effects that was printed as the empty list `: {  }`. If effects were not printed, data() is
/// null.
inline constexpr std::string_view no_effects[1];

//= effects = ":" "{" [ effect { "," effect } ] "}" ;  (* only with print_effects=True *)
inline list<std::string_view> parse_effects(state& s) {
  s.in.advance(1);
  skip(s);
  expect(s.in, "{", "before the effects");
  const std::size_t mark = s.strings.size();
  skip(s);
  while (!s.in.on('}')) {
    const char* begin = s.in.at;
    while (!s.in.ended() && *s.in.at != ',' && *s.in.at != '}' && *s.in.at != '\n') ++s.in.at;
    const char* end = s.in.at;
    while (end != begin && is_blank(end[-1])) --end;
    if (end == begin || (!s.in.on(',') && !s.in.on('}')))
      fail_expected(s.in, "parse.expected-punctuation", "an effect, ',' or '}'");
    s.strings.push({begin, static_cast<std::size_t>(end - begin)});
    if (s.in.on(',')) s.in.advance(1);
    skip(s);
  }
  s.in.advance(1);
  if (s.strings.size() == mark) return {no_effects, 0};
  return take(s.memory, s.strings, mark);
}

/// Moves the equations since `mark` into the program's memory. Copying a large body that fills at least half of the
/// stack would double its memory, so the arena adopts the stack instead.
inline list<equation> take_equations(state& s, std::size_t mark) {
  constexpr std::size_t large = 1000;
  if (mark != 0 || s.equations.size() < large || s.equations.size() < s.equations.capacity() / 2)
    return take(s.memory, s.equations, mark);
  return s.memory.adopt(std::move(s.equations));
}

//= equations = [ eqn { eqnsep eqn } ] ;
inline list<equation> parse_equations(state& s, bool& block) {
  const std::size_t mark = s.equations.size();
  equation_layout layout;
  layout.block = skip(s);
  layout.column = s.in.column();
  // This is an estimate for the outermost body. Pages reserved in excess are never touched.
  if (s.equations.capacity() == 0) s.equations.reserve(static_cast<std::size_t>(s.in.last - s.in.at) / 64 + 1);
  block = layout.block;
  while (!at_results(s.in)) {
    if (s.in.ended() || s.in.on('}') || s.in.on(')') || s.in.on(']'))
      fail_expected(s.in, "parse.expected-equation", "an equation or 'in (results)'", body_help);
    parse_equation(s, layout);
    skip(s);
    if (s.in.on(';')) {
      s.in.advance(1);
      skip(s);
    }
  }
  return take_equations(s, mark);
}

/// Help for a text that does not start with a jaxpr: a module in another format, a function, a string's repr, or a
/// jaxpr among other text.
inline std::string_view help_without_body(const cursor& in) {
  if (in.on("module ") || in.on("HloModule "))
    return "this is a lowered module; print jax.make_jaxpr(f)(*args) instead";
  if (in.on("<function ") || in.on("<PjitFunction ") || in.on("<bound method "))
    return "this is a function; print jax.make_jaxpr(f)(*args) instead";
  const bool quoted = in.on('\'') || in.on('"');
  if (quoted && in.rest().substr(1).starts_with(body_start))
    return "this is the repr of a string; write the string itself";
  if (in.rest().find(body_start) != std::string_view::npos) return "remove the text before '{ lambda'";
  return body_help;
}

//= body = "{" "lambda" binders ";" binders "." "let" equations "in" results [ effects ] "}" ;
inline void parse_body(state& s, body& j) {
  const nested level(s);
  const char* begin = s.in.at;
  if (!at_body(s.in)) fail_expected(s.in, "parse.expected-jaxpr", "'{ lambda'", help_without_body(s.in));
  ++s.bodies;
  s.in.advance(static_cast<std::ptrdiff_t>(body_start.size()));
  s.variables.enter();
  j.constvars = parse_binders(s, ";");
  j.invars = parse_binders(s, ".");
  skip(s);
  expect(s.in, "let", "after the invars", body_help);
  bool block = false;
  j.equations = parse_equations(s, block);
  s.in.advance(2);
  skip(s);
  j.results = parse_results(s);
  skip(s);
  if (s.in.on(':')) {
    j.effects = parse_effects(s);
    skip(s);
  }
  expect(s.in, "}", "after the results");
  j.slots = s.variables.top().slots;
  j.where = s.in.from(begin, s.in.at);
  s.body_end = s.in.at;
  s.variables.leave();
  if (!block && !j.equations.empty()) {
    settle_comments(s);
    s.remarks.late_owner = const_cast<equation*>(&j.equations.back());
    s.remarks.late_line = s.in.line;
  }
}

inline body* parse_body(state& s) {
  body* j = s.memory.make(body{});
  parse_body(s, *j);
  return j;
}

}  // namespace jaxpr::reader
