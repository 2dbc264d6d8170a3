// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pieces of a printed jaxpr that a mutation can change, as spans of its text.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jaxpr/jaxpr.hpp>

namespace fuzz {

enum class kind : std::uint8_t {
  type,       ///< f32[2,b]
  element,    ///< f32 in a type
  extent,     ///< 2 or b in a type
  operand,    ///< an operand of an equation, a literal's type included
  result,     ///< an operand of `in`
  primitive,  ///< the name of a primitive
  operation,  ///< the name and its parameters
  parameter,  ///< key=value
  key,        ///< of a parameter
  value,      ///< of a parameter, and the parts of tuples and calls
  number,     ///< a value that is a number
  equation,   ///< the whole equation
};
inline constexpr std::size_t kinds = 12;

struct piece {
  jaxpr::span where;
  const jaxpr::body* scope = nullptr;  ///< the body whose variables it names
};

/// A parsed text and its pieces by kind, each in the order of the tree.
class dissection {
 public:
  /// Throws jaxpr::error.
  explicit dissection(std::string_view text) : program_(jaxpr::parse(text, {.keep_ambiguous = true})) {
    for (const jaxpr::body* body : jaxpr::bodies_of(program_)) add(*body);
  }

  const jaxpr::program& program() const { return program_; }
  std::string_view text() const { return program_.text; }
  std::string_view text(const piece& p) const { return text().substr(p.where.begin, p.where.end - p.where.begin); }
  const std::vector<piece>& all(kind k) const { return pieces_[static_cast<std::size_t>(k)]; }

 private:
  jaxpr::span place(std::string_view part) const { return jaxpr::span_of(part, text()); }

  void add(kind k, jaxpr::span where) {
    if (where.end > where.begin) pieces_[static_cast<std::size_t>(k)].push_back({where, scope_});
  }

  /// A type is printed after its name or literal, but its node views the first type with that spelling.
  jaxpr::span add_type(jaxpr::span before, const jaxpr::type* type) {
    if (!type || before.end == 0 || !text().substr(before.end).starts_with(':')) return before;
    const std::uint32_t begin = before.end + 1;
    if (!text().substr(begin).starts_with(type->text)) return before;
    const jaxpr::span where{begin, begin + static_cast<std::uint32_t>(type->text.size())};
    add(kind::type, where);
    const std::size_t bracket = std::min(type->text.find('['), type->text.size());
    add(kind::element, {begin, begin + static_cast<std::uint32_t>(bracket)});
    add_extents(where.begin + static_cast<std::uint32_t>(bracket) + 1, where.end);
    return {before.begin, where.end};
  }

  void add_extents(std::uint32_t begin, std::uint32_t end) {
    int depth = 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      const char c = text()[i];
      depth += (c == '(') - (c == ')');
      if (depth != 0 || (c != ',' && c != ']')) continue;
      add(kind::extent, {begin, i});
      begin = i + 1;
    }
  }

  void add(const jaxpr::value& v) {
    add(kind::value, place(v.text));
    if (v.tag == jaxpr::value::kind::integer || v.tag == jaxpr::value::kind::floating) add(kind::number, place(v.text));
    for (const jaxpr::value& item : v.items) add(item);
    for (const jaxpr::keyword_value& item : v.keywords) add(item.val);
  }

  void add_atom(kind k, const jaxpr::atom& a) {
    const jaxpr::span name = place(a.text);
    add(k, a.is_literal() ? add_type(name, a.annotation) : name);
  }

  void add(const jaxpr::equation& e) {
    for (const jaxpr::binder& b : e.outs) add_type(place(b.name), b.annotation);
    const jaxpr::span name = place(e.primitive);
    add(kind::primitive, name);
    std::uint32_t end = name.end;
    for (const jaxpr::param& p : e.params) {
      add(kind::key, place(p.key));
      add(kind::parameter, {place(p.key).begin, place(p.val.text).end});
      add(p.val);
      end = std::max(end, place(p.val.text).end);
    }
    if (!e.params.empty() && end > name.end) end = std::min<std::uint32_t>(end + behind_bracket(end), e.where.end);
    add(kind::operation, {name.begin, end});
    for (const jaxpr::atom& a : e.ins) add_atom(kind::operand, a);
    add(kind::equation, e.where);
  }

  /// The distance from `begin`, the end of the last parameter, to the position after the `]` of the list.
  std::uint32_t behind_bracket(std::uint32_t begin) const {
    const std::size_t bracket = text().find(']', begin);
    return bracket == std::string_view::npos ? 0 : static_cast<std::uint32_t>(bracket) + 1 - begin;
  }

  void add(const jaxpr::body& body) {
    scope_ = &body;
    for (const auto& binders : {body.constvars, body.invars})
      for (const jaxpr::binder& b : binders) add_type(place(b.name), b.annotation);
    for (const jaxpr::equation& e : body.equations) add(e);
    for (const jaxpr::atom& a : body.results) add_atom(kind::result, a);
  }

  jaxpr::program program_;
  const jaxpr::body* scope_ = nullptr;
  std::array<std::vector<piece>, kinds> pieces_;
};

}  // namespace fuzz
