// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <jaxpr/reader/atom.hpp>
#include <jaxpr/reader/params.hpp>
#include <jaxpr/reader/state_forms.hpp>

namespace jaxpr::reader {

/// The layout of one body's equations. If the first equation starts a line, `block` is true and line breaks separate
/// the equations; otherwise `;` separates them.
struct equation_layout {
  bool block = false;
  std::ptrdiff_t column = 0;
};

/// Returns whether the cursor is at `in (`, which ends the equations. A variable may also be named `in`, so `in (1+2j)`
/// is read as two operands.
inline bool at_results(const cursor& in) {
  if (!in.on("in")) return false;
  const char* p = in.at + 2;
  while (p != in.last && is_blank(*p)) ++p;
  if (p == in.last || *p != '(' || p == in.at + 2) return p != in.last && *p == '(';
  const std::string_view rest(p, static_cast<std::size_t>(in.last - p));
  return !rest.starts_with("(b'") && scan_complex(rest.substr(0, 128)).kind == literal_kind::none;
}

//= eqnsep = ";" | LINE-BREAK before "=", or before a token in or left of the column of the first equation ;
/// Returns whether the equation ends here. `crossed` is true if a line ended just before the cursor.
inline bool at_equation_end(const cursor& in, const equation_layout& layout, bool crossed) {
  if (in.ended() || *in.at == ';') return true;
  if (!layout.block) return at_results(in);
  return crossed && (in.column() <= layout.column || in.on("= "));
}

/// Returns whether a binder without a type is at the cursor, as in `a b = add …`, which print_shapes=False prints.
inline bool at_plain_binders(const cursor& start, const equation_layout& layout) {
  cursor in = start;
  for (bool crossed = false;; crossed = in.skip_blanks()) {
    if (in.on("= ") || in.on("<- ") || in.on(", ")) return in.at != start.at;
    if (in.at != start.at && at_equation_end(in, layout, crossed)) return false;
    const variable_name name = scan_variable(in);
    if (name.text.empty()) return false;
    in.at += name.text.size();
    if (in.on(':')) return true;
    if (!in.on(',') && (in.ended() || !is_blank(*in.at))) return false;
  }
}

inline bool at_binder(const cursor& in, const equation_layout& layout) {
  const variable_name name = scan_variable(in);
  if (name.text.empty()) return false;
  const char next = in.peek(static_cast<std::ptrdiff_t>(name.text.size()));
  return next == ':' || ((is_blank(next) || next == ',') && at_plain_binders(in, layout));
}

//= binder = var [ ":" type ] ;                        (* no type when printed with print_shapes=False *)
inline variable_name parse_binder(state& s) {
  const variable_name name = parse_variable(s, "parse.expected-binder", "a variable");
  binder b;
  b.name = name.text;
  if (s.in.on(':')) {
    s.in.advance(1);
    b.annotation = parse_type(s);
  }
  s.binders.push(b);
  return name;
}

/// Returns whether the last binder since `mark` lacks a type although the first one has a type. Either all binders have
/// types, or none of them has one.
inline bool is_untyped_after_typed(const state& s, std::size_t mark) {
  return !s.binders.back().annotation && s.binders[mark].annotation;
}

/// Reads the left side of an equation, up to `=`, `<-` or `,`.
inline void parse_left_side(state& s) {
  const std::size_t mark = s.binders.size();
  while (!s.in.on('=') && !s.in.on("<-") && !s.in.on(',')) {
    if (s.in.ended() || !is(*s.in.at, lower | underscore))
      fail_expected(s.in, "parse.expected-equation", "another result or '='", "results are printed as name:type");
    const cursor before = s.in;
    parse_binder(s);
    if (is_untyped_after_typed(s, mark))
      fail_expected(before, "parse.expected-equation", "'=' or another result with its type",
                    "results are printed as name:type");
    if (!s.in.ended() && !is_blank(*s.in.at) && !s.in.on(','))
      fail_expected(s.in, "parse.expected-equation", "a space after a result");
    skip(s);
  }
}

//= prim = LETTER_ { LETTER | DIGIT | "_" | "-" | "." | "/" | ":" | "<" | ">" } ;
inline std::string_view parse_primitive(state& s) {
  const char* begin = s.in.at;
  if (s.in.ended() || !is_word_start(*begin))
    fail_expected(s.in, "parse.expected-primitive", "a primitive's name",
                  s.in.on("...") ? "equations were left out here; print the whole jaxpr" : std::string_view());
  while (!s.in.ended() && is_primitive(*s.in.at)) ++s.in.at;
  s.in.done = s.in.at;
  check_identifier(s.in, s.in.since(begin), s.options.max_identifier, "name");
  return s.in.since(begin);
}

/// With custom_pp_eqn_rules=False, JAX 0.12 prints `call_hi_primitive[_prim=Name[params]]` instead of `Name[params]`.
/// This function reads the long form as the short one and returns true. For any other text, such as the `[_prim=Name]`
/// of older versions, this function reads nothing and returns false.
inline bool parse_class_application(state& s, equation& e) {
  constexpr std::string_view key = "_prim=";
  if (e.primitive != "call_hi_primitive") return false;
  const checkpoint start(s);
  s.in.advance(1);
  skip(s);
  if (s.in.on(key) && is_word_start(s.in.peek(key.size()))) {
    s.in.advance(key.size());
    const std::string_view name = parse_primitive(s);
    if (s.in.on('[')) {
      e.params = parse_params(s);
      e.primitive = name;
      skip(s);
      expect(s.in, "]", "after the parameters of a class");
      return true;
    }
  }
  start.restore(s);
  return false;
}

//= eqn_params = "[" params "]" | "[" "_prim=" prim "[" params "]" "]" ;   (* the second form: only call_hi_primitive *)
inline void parse_application(state& s, equation& e, const equation_layout& layout) {
  e.primitive = parse_primitive(s);
  if (at_access(s.in)) return parse_access(s, e);
  if (s.in.on('[') && !parse_class_application(s, e)) e.params = parse_params(s);
  if (at_access(s.in)) return parse_access(s, e);
  if (!s.in.ended() && !is_blank(*s.in.at) && !s.in.on(';') && !s.in.on('#'))
    fail_expected(s.in, "parse.expected-operand", "a space before the operands");
  while (!at_equation_end(s.in, layout, skip(s))) s.atoms.push(parse_atom(s, false));
}

/// Gives the results since `mark` their slots. This function runs after the rest of the equation has been read, because
/// an inner body may bind the same names.
inline void bind_results(state& s, std::size_t mark) {
  for (std::size_t i = mark; i < s.binders.size(); ++i) {
    cursor at_name = s.in;
    at_name.at = s.binders[i].name.data();
    at_name.last = at_name.at + s.binders[i].name.size();
    bind(s, scan_variable(at_name), s.binders[i]);
  }
}

//= eqn = [ { binder } "=" ] prim [ eqn_params ] ( { atom } | access )    (* "=" without binders up to JAX 0.4.20 *)
//=     | binder "<-" ref masks | ref "<-" atom | binder "," ref "<-" ref "," atom masks | ref "+=" atom ;
inline void parse_equation(state& s, const equation_layout& layout) {
  const char* begin = s.in.at;
  const std::size_t binders = s.binders.size(), atoms = s.atoms.size(), remarks = s.remarks.open.size();
  equation e;
  if (at_binder(s.in, layout)) parse_left_side(s);
  if (s.in.on("<-") && s.binders.size() == binders + 1) {
    parse_get(s, e);
  } else if (s.in.on(',') && s.binders.size() == binders + 1) {
    parse_swap(s, e);
  } else if (s.binders.size() == binders && scan_state_operator(s.in)) {
    parse_update(s, e);
  } else {
    if (s.in.on('=')) {
      s.in.advance(1);
      skip(s);
    }
    parse_application(s, e, layout);
  }
  e.where = s.in.from(begin, s.in.done);
  bind_results(s, binders);
  e.outs = take(s.memory, s.binders, binders);
  e.ins = take(s.memory, s.atoms, atoms);
  if (layout.block) {
    skip(s);
    settle_comments(s);
    e.annotation = join_lines(s, s.remarks.open, remarks);
  }
  s.equations.push(e);
}

}  // namespace jaxpr::reader
