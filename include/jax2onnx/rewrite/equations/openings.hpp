// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/operators.hpp>

/// The outermost operators of left sides and their operands: they rule out most nodes without a match.
namespace jax2onnx::rewrite::equations {

/// The operator of a node, and the makers of its first operands. The driver finds them once for all equations.
struct surroundings {
  static constexpr int absent = -3, constant = -2, input = -1;
  /// The maker of an operand.
  struct operand {
    int maker = absent;  ///< the number of an operator, or one of the above
    bool truth = false;  ///< true if the operand is a truth value
  };

  int op = absent;
  std::array<operand, opening_operands> operands = {};

  explicit surroundings(const value& root) {
    graph& g = root.owner();
    const node_id n = root.record().producer;
    if (n == node_id::none) return;
    op = g.at(n).op.number();
    const std::vector<value_id>& inputs = g.at(n).inputs;
    for (std::size_t i = 0; i < std::min(inputs.size(), operands.size()); ++i)
      if (inputs[i] != value_id::none) operands[i] = looked_at(g, g.at(inputs[i]));
  }

 private:
  static operand looked_at(const graph& g, const value_record& v) {
    const bool truth = v.type.type == dtype::boolean;
    if (v.producer == node_id::none) return {v.constant >= 0 ? constant : input, truth};
    return {std::max<int>(g.at(v.producer).op.number(), input), truth};
  }
};

/// True if an operand can match a term.
constexpr bool admits(const operand_hint& hint, const surroundings::operand& v) {
  if (hint.anything || (hint.truths && v.truth)) return true;
  if (v.maker < 0) return hint.constants && v.maker == surroundings::constant;
  if (hint.views && has_trait(v.maker, operators::trait::reshapes)) return true;
  for (std::size_t i = 0; i < hint.count; ++i)
    if (hint.makers[i] == v.maker) return true;
  return false;
}

/// True if a node can match a left side with this opening.
constexpr bool admits(const opening& o, const surroundings& s) {
  if (o.op != s.op) return false;
  const auto& [a, b, c] = s.operands;
  if (o.straight && admits(o.operands[0], a) && admits(o.operands[1], b) && admits(o.operands[2], c)) return true;
  return o.crossed && admits(o.operands[0], b) && admits(o.operands[1], a);
}
constexpr bool admits(const equation& e, const surroundings& s) {
  for (const opening& o : e.openings)
    if (admits(o, s)) return true;
  return false;
}

/// Finds the openings of left sides.
class opening_finder {
 public:
  constexpr opening_finder(std::span<const term> terms, std::span<const variable> variables)
      : terms_(terms), variables_(variables) {}

  /// Calls found(opening) for each opening of the term.
  template <class Found>
  constexpr void find(std::size_t i, std::uint8_t form, const Found& found) const {
    const term& t = terms_[i];
    if (t.kind == term_kind::define) return find(i + 1, form, found);
    if (t.kind == term_kind::choice) {
      for_each_operand(i, [&](std::size_t c, std::size_t) { find(c, form, found); });
    } else if (t.kind == term_kind::product) {
      found(opening{form, mul, true, true, {made_by(mul), anything(), anything()}});
    } else if (t.kind == term_kind::reshaped) {
      for (int op = 0; op < static_cast<int>(std::size(records::names)); ++op)
        if (has_trait(op, operators::trait::reshapes))
          found(opening{form, op, true, false, {hint(i + 1), anything(), anything()}});
    } else if (t.kind == term_kind::apply) {
      const bool commutes = t.operands == 2 && has_trait(t.id, operators::trait::commutes);
      opening o{form, t.id, true, commutes, {anything(), anything(), anything()}};
      for_each_operand(i, [&](std::size_t c, std::size_t k) {
        if (k < opening_operands) o.operands[k] = hint(c);
      });
      found(o);
      if (t.mirrors) found(opening{form, mirrored(t.id), false, true, o.operands});
    }
  }

 private:
  static constexpr int mul = operator_name("Mul").number();

  static constexpr operand_hint anything() { return {}; }
  static constexpr operand_hint made_by(int op) {
    operand_hint h{.anything = false};
    h.makers[h.count++] = static_cast<std::int16_t>(op);
    return h;
  }
  /// The hint for operands that fit a or b.
  static constexpr operand_hint either(operand_hint a, const operand_hint& b) {
    if (a.anything || b.anything || a.count + b.count > static_cast<int>(a.makers.size())) return anything();
    a.constants |= b.constants;
    a.views |= b.views;
    a.truths |= b.truths;
    for (int i = 0; i < b.count; ++i) a.makers[a.count++] = b.makers[static_cast<std::size_t>(i)];
    return a;
  }
  template <class Visit>
  constexpr void for_each_operand(std::size_t i, const Visit& visit) const {
    std::size_t c = i + 1;
    for (std::size_t k = 0; k < terms_[i].operands; ++k, c = terms_[c].next) visit(c, k);
  }

  constexpr operand_hint hint(std::size_t i) const {
    const term& t = terms_[i];
    switch (t.kind) {
      case term_kind::number: return {.anything = false, .constants = true};
      case term_kind::filled: {  // known_everywhere explains this case
        operand_hint h = made_by(operator_name("Expand").number());
        h.constants = h.views = h.truths = true;
        return h;
      }
      case term_kind::variable: {
        const variable_kind kind = variables_[static_cast<std::size_t>(t.id)].kind;
        const bool constant = kind == variable_kind::constant || kind == variable_kind::scalar;
        return constant ? operand_hint{.anything = false, .constants = true} : anything();
      }
      case term_kind::define: return hint(i + 1);
      case term_kind::apply: return t.mirrors ? either(made_by(t.id), made_by(mirrored(t.id))) : made_by(t.id);
      case term_kind::product: return made_by(mul);
      case term_kind::choice: {
        operand_hint all{.anything = false};
        for_each_operand(i, [&](std::size_t c, std::size_t) { all = either(all, hint(c)); });
        return all;
      }
      case term_kind::casts: return either(made_by(cast_number), hint(i + 1));
      case term_kind::ones: return either({.anything = false, .views = true}, hint(i + 1));
      case term_kind::reshaped: return {.anything = false, .views = true};
      default: return anything();
    }
  }

  std::span<const term> terms_;
  std::span<const variable> variables_;
};

}  // namespace jax2onnx::rewrite::equations
