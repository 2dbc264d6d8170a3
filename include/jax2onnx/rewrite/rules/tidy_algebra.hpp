#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/tidy_shape.hpp>

/// Rules of arithmetic that hold exactly, for every value of the dtype.
namespace jax2onnx::rewrite {

/// Every value of `from` is one of `to`.
constexpr bool casts_exactly(dtype from, dtype to) {
  if (to == from || is_boolean(from)) return true;
  if (is_boolean(to)) return false;
  if (is_floating(from)) {
    const float_format a = format_of(from), b = format_of(to);
    return a.exponent_bits > 0 && b.has_infinity && b.exponent_bits >= a.exponent_bits &&
           b.mantissa_bits >= a.mantissa_bits;
  }
  const auto magnitude = [](dtype t) {
    return is_floating(t) ? format_of(t).mantissa_bits + 1 : bits(t) - (is_signed_integer(t) ? 1 : 0);
  };
  return magnitude(to) >= magnitude(from) && (!is_unsigned_integer(to) || is_unsigned_integer(from));
}

// Pattern: Cast(Cast(x)) -> Cast(x)   where the inner one loses nothing
inline outcome join_casts(const context&, const value& root) {
  value x, inner;
  if (!match(root, m_op<"Cast">(m_bind(inner, m_op<"Cast">(m_value(x)))))) return {};
  if (!casts_exactly(x.dtype(), inner.dtype())) return decline("the inner cast loses values");
  return cast(x, root.dtype());
}

// Pattern: Cast(b) = 0 -> Not(b), Cast(b) = 1 -> b, Cast(b) > 0 -> b   of booleans
inline outcome compare_of_bool(const context&, const value& root) {
  value b;
  const auto cast_of_bool = [&b](const value& v) {
    return producer(v, "Cast") && is_boolean(operand(v, 0).dtype()) && bool(b = operand(v, 0));
  };
  const bool holds =
      match(root, m_any_of(m_commutes<"Equal">(cast_of_bool, m_number(1)), m_op<"Greater">(cast_of_bool, m_number(0)),
                           m_op<"Less">(m_number(0), cast_of_bool)));
  if (holds) return b.dims() == root.dims() ? outcome(b) : outcome();
  if (!match(root, m_commutes<"Equal">(cast_of_bool, m_number(0))) || b.dims() != root.dims()) return {};
  return logical_not(b);
}

// Pattern: Cast(Where(c, 1, 0)) -> c   to bool, and c = Not(d) for Where(c, 0, 1)
inline outcome cast_of_choice(const context&, const value& root) {
  value condition;
  if (!is_boolean(root.dtype())) return {};
  if (match(root, m_op<"Cast">(m_op<"Where">(m_value(condition), m_number(1), m_number(0)))) &&
      condition.dims() == root.dims())
    return condition;
  if (match(root, m_op<"Cast">(m_op<"Where">(m_value(condition), m_number(0), m_number(1)))) &&
      condition.dims() == root.dims())
    return logical_not(condition);
  return {};
}

/// The number that all elements of `v` are, also where it is broadcast at run time.
inline std::optional<double> known_everywhere(value v) {
  while (is_reshape(v) || producer(v, "Expand")) v = operand(v, 0);
  return splat_number(v);
}

// Pattern: Add(x, 0) -> x   [of floats only with -0: +0 turns -0 into +0]
// Pattern: Sub(x, 0) -> x, Mul(x, 1) -> x, Div(x, 1) -> x, Pow(x, 1) -> x
// Pattern: Max(x, -inf) -> x, Min(x, inf) -> x, And(x, true) -> x, Or(x, false) -> x
inline outcome drop_neutral(const context&, const value& root) {
  const std::string_view op = producer(root)->op;
  if (producer(root)->inputs.size() != 2) return {};
  const auto neutral = [&](double n, dtype t) {
    if (op == "Add") return n == 0 && (is_integer(t) || std::signbit(n));
    if (op == "Sub") return n == 0 && !std::signbit(n);
    if (op == "Mul" || op == "Div" || op == "Pow") return n == 1;
    if (op == "Max") return is_floating(t) && n == -std::numeric_limits<double>::infinity();
    if (op == "Min") return is_floating(t) && n == std::numeric_limits<double>::infinity();
    if (op == "And") return n == 1;
    return op == "Or" && n == 0;
  };
  const bool ordered = op == "Sub" || op == "Div" || op == "Pow";
  for (std::size_t i = 0; i < (ordered ? 1u : 2u); ++i) {
    const value x = operand(root, i), c = operand(root, 1 - i);
    const auto n = known_everywhere(c);
    if (!n || !neutral(*n, c.dtype())) continue;
    if (x.dims() == root.dims()) return x;
    if (adds_leading_ones(x.dims(), root.dims()) && is_static_reshape(x, root.dims())) return reshape(x, root.dims());
  }
  return {};
}

// Pattern: Neg(Neg(x)) -> x, Not(Not(x)) -> x, Reciprocal is no involution: it rounds
inline outcome drop_involution(const context&, const value& root) {
  value x;
  if (match(root, m_op<"Neg">(m_op<"Neg">(m_value(x)))) || match(root, m_op<"Not">(m_op<"Not">(m_value(x))))) return x;
  return {};
}

// Pattern: Where(Not(c), a, b) -> Where(c, b, a)
inline outcome turn_where(const context& c, const value& root) {
  value condition, a, b;
  if (!match(root, m_op<"Where">(m_op<"Not">(m_value(condition)), m_value(a), m_value(b)))) return {};
  return c.g.emit("Where", {condition, b, a}, root.type());
}

// Pattern: Where(true, a, b) -> a, Where(false, a, b) -> b
inline outcome known_where(const context&, const value& root) {
  const auto condition = splat_number(operand(root, 0));
  if (!condition) return {};
  const value chosen = operand(root, *condition != 0 ? 1 : 2);
  return chosen.dims() == root.dims() ? outcome(chosen) : outcome(broadcast_to(chosen, root.dims()));
}

inline constexpr std::string_view neutral_roots[] = {"Add", "And", "Div", "Max", "Min", "Mul", "Or", "Pow", "Sub"};

inline constexpr rule tidy_algebra_rules[] = {
    {"join-casts", "Cast(Cast(x)) -> Cast(x), the inner one loses nothing", ops<"Cast">, join_casts},
    {"compare-of-bool", "Cast(b) = 0 -> Not(b), Cast(b) > 0 -> b, of booleans", ops<"Equal", "Greater", "Less">,
     compare_of_bool},
    {"cast-of-choice", "Cast(Where(c, 1, 0)) -> c, to bool", ops<"Cast">, cast_of_choice},
    {"drop-neutral", "Mul(x, 1) -> x, Max(x, -inf) -> x, ...", neutral_roots, drop_neutral},
    {"drop-involution", "Neg(Neg(x)) -> x, Not(Not(x)) -> x", ops<"Neg", "Not">, drop_involution},
    {"turn-where", "Where(Not(c), a, b) -> Where(c, b, a)", ops<"Where">, turn_where},
    {"known-where", "Where(true, a, b) -> a", ops<"Where">, known_where},
};

}  // namespace jax2onnx::rewrite
