#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Rules of arithmetic that are exact for every value of the dtype.
namespace jax2onnx::rewrite::detail {

/// Whether every value of `from` is a value of `to`.
constexpr bool casts_exactly(dtype from, dtype to) {
  if (to == from) return true;
  if (to == dtype::f8_e8m0fnu) return false;  // it has no zero
  if (is_boolean(from)) return true;
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

inline outcome join_casts(const context&, const value& root) {
  value x, inner;
  if (!match(root, m_op("Cast", m_bind(inner, m_op("Cast", m_value(x)))))) return {};
  if (!casts_exactly(x.dtype(), inner.dtype())) return decline("the inner cast loses values");
  return cast(x, root.dtype());
}

inline outcome cast_of_table(const context& c, const value& root) {
  value gathered, table, index;
  if (!match(root, m_op("Cast", m_bind(gathered, m_op("Gather", m_constant(table), m_value(index)))))) return {};
  if (!c.single_use(gathered)) return decline("the numbers are read elsewhere too");
  const std::optional<value> other = jax2onnx::detail::converted_constant(table, root.dtype());
  if (!other || is_floating(table.dtype())) return decline("the table is not a small one of integers");
  return with_inputs(gathered, {*other, index}, root.type());
}

inline outcome compare_of_bool(const context&, const value& root) {
  value b;
  const auto number = [&b](const value& v) {
    return producer(v, "Cast") && is_boolean(input_of(v, 0).dtype()) && bool(b = input_of(v, 0));
  };
  const bool holds = match(root, m_any_of(m_commutes("Equal", number, m_number(1)),
                                          m_op("Greater", number, m_number(0)), m_op("Less", m_number(0), number)));
  if (!holds && !match(root, m_any_of(m_commutes("Equal", number, m_number(0)), m_op("Less", number, m_number(1)))))
    return {};
  if (b.dims() != root.dims()) return {};
  return holds ? b : logical_not(b);
}

inline outcome cast_of_choice(const context&, const value& root) {
  value condition;
  if (!is_boolean(root.dtype())) return {};
  const auto choice = [&](double first, double second) {
    return match(root, m_op("Cast", m_op("Where", m_value(condition), m_number(first), m_number(second)))) &&
           condition.dims() == root.dims();
  };
  if (choice(1, 0) || choice(-1, 0)) return condition;
  return choice(0, 1) ? outcome(logical_not(condition)) : outcome();
}

/// ONNX Runtime has no kernel of Where for truth values.
inline outcome choice_of_truths(const context&, const value& root) {
  value condition, a, b;
  if (!is_boolean(root.dtype())) return {};
  if (!match(root, m_op("Where", m_value(condition), m_value(a), m_value(b)))) return {};
  const auto is = [](const value& v, double truth) { return match(v, m_number(truth)); };
  const auto in_shape = [&](const value& v) { return v.dims() == root.dims() ? outcome(v) : outcome(); };
  if (is(a, 1) && is(b, 0)) return in_shape(condition);
  if (is(a, 0) && is(b, 1)) return condition.dims() == root.dims() ? outcome(logical_not(condition)) : outcome();
  const bool keeps_a = is(b, 0) || is(b, 1), keeps_b = is(a, 0) || is(a, 1);
  if (!keeps_a && !keeps_b) return {};
  const value& other = keeps_a ? a : b;
  if (condition.dims() != root.dims() && other.dims() != root.dims()) return {};
  if (is(b, 0)) return logical_and(condition, a);
  if (is(a, 1)) return logical_or(condition, b);
  const value negated = logical_not(condition);
  return keeps_b ? logical_and(negated, b) : logical_or(negated, a);
}

/// The number that every element of `v` has, also where it is broadcast at run time, or compares numbers of which the
/// ranges are known.
inline std::optional<double> known_everywhere(value v) {
  while (is_reshape(v) || producer(v, "Expand")) v = input_of(v, 0);
  const std::optional<double> n = splat_number(v);
  if (n || !v || !is_boolean(v.dtype())) return n;
  const interval truth = range_of(v);
  return truth == only(0) ? std::optional(0.0) : truth == only(1) ? std::optional(1.0) : std::nullopt;
}

/// Whether x op n is x for every x of dtype `t`. x + 0 is not: it is 0 for -0.
inline bool is_neutral(operator_name op, double n, dtype t) {
  const double e = neutral_number(op);
  return n == e && (!is_floating(t) || std::signbit(n) == std::signbit(e));
}
inline outcome drop_neutral(const context&, const value& root) {
  const operator_name op = producer(root)->op;
  if (producer(root)->inputs.size() != 2) return {};
  for (std::size_t i = 0; i < (has_trait(op, trait::commutes) ? 2u : 1u); ++i) {
    const value x = input_of(root, i), c = input_of(root, 1 - i);
    const auto n = known_everywhere(c);
    if (!n || !is_neutral(op, *n, c.dtype())) continue;
    if (x.dims() == root.dims()) return x;
    if (adds_leading_ones(x.dims(), root.dims()) && is_static_reshape(x, root.dims())) return reshape(x, root.dims());
  }
  return {};
}

/// Adam's second moment, with nothing added under the root. The sign of a zero is lost in the sum.
inline outcome drop_zero_under_root(const context&, const value& root) {
  value x;
  double number = 0;
  if (!match(root, m_commutes("Add", m_op("Sqrt", m_commutes("Add", m_value(x), m_number(0))), m_scalar(number))))
    return {};
  if (number == 0 || x.dims() != root.dims()) return {};
  return add(sqrt(x), scalar(root.owner(), root.dtype(), number));
}

/// Reciprocal is no involution: it rounds.
inline outcome drop_involution(const context&, const value& root) {
  value x;
  if (match(root, m_op("Neg", m_op("Neg", m_value(x)))) || match(root, m_op("Not", m_op("Not", m_value(x))))) return x;
  return {};
}

inline outcome join_negations(const context& c, const value& root) {
  value first, second, a, b;
  const operator_name op = producer(root)->op;
  if (!match(root, m_op(op.text(), m_bind(first, m_op("Not", m_value(a))), m_bind(second, m_op("Not", m_value(b))))))
    return {};
  if (!c.single_use(first) || !c.single_use(second)) return decline("a negation is read by others, too");
  return logical_not(producer(root, "And") ? logical_or(a, b) : logical_and(a, b));
}

inline outcome swap_where(const context& c, const value& root) {
  value condition, a, b;
  if (!match(root, m_op("Where", m_op("Not", m_value(condition)), m_value(a), m_value(b)))) return {};
  return c.g.emit("Where", {condition, b, a}, root.type());
}

/// Not so for floats: no comparison with NaN holds.
inline outcome drop_negation(const context& c, const value& root) {
  const value comparison = input_of(root, 0);
  const node* n = producer(comparison);
  if (!n || n->inputs.size() != 2 || !is_integer(input_of(comparison, 0).dtype())) return {};
  constexpr std::pair<std::string_view, value (*)(const value&, const value&)> opposites[] = {
      {"Less", greater_equal}, {"Greater", less_equal}, {"LessOrEqual", greater}, {"GreaterOrEqual", less}};
  for (const auto& [op, opposite] : opposites) {
    if (!producer(comparison, op)) continue;
    if (!c.single_use(comparison)) return decline("the comparison is read elsewhere too");
    return opposite(input_of(comparison, 0), input_of(comparison, 1));
  }
  return {};
}

/// The range analysis often knows which way a choice goes: JAX's indexing adds the extent to negative indices only.
inline outcome known_where(const context&, const value& root) {
  const interval condition = range_of(input_of(root, 0));
  if (condition != only(0) && condition != only(1)) return {};
  const value chosen = input_of(root, condition == only(1) ? 1 : 2);
  return chosen.dims() == root.dims() ? outcome(chosen) : outcome(broadcast_to(chosen, root.dims()));
}

/// The gradient of a ReLU before max pooling chooses twice.
inline outcome join_choices(const context& c, const value& root) {
  value outer, inner, chosen, a, b;
  double number = 0;
  const auto choice = [&](const value& v) { return match(v, m_op("Where", m_value(inner), m_value(a), m_value(b))); };
  if (!match(root, m_op("Where", m_value(outer), m_bind(chosen, m_any_of(choice, m_reshape(choice))), m_any{})) ||
      input_of(root, 2) != b || !match(b, m_scalar(number)) || b.rank() != 0)
    return {};
  const value where_made = is_reshape(chosen) ? input_of(chosen, 0) : chosen;
  if (!c.single_use(chosen) || !c.single_use(where_made)) return decline("the inner choice is read elsewhere too");
  if (where_made == chosen) return where(logical_and(outer, inner), a, b);
  if (outer.dims() != root.dims() || chosen.dims() != root.dims() || inner.dims() != where_made.dims())
    return decline("a condition is broadcast");
  return reshape(where(logical_and(reshape(outer, inner.dims()), inner), a, b), root.dims());
}

/// jnp.trunc. ONNX Runtime's Where keeps -0 as its last operand only.
inline outcome turn_truncation(const context& c, const value& root) {
  value x, up, down;
  if (!match(root, m_op("Where", m_op("Less", m_value(x), m_number(0)), m_bind(up, m_op("Ceil", m_same(x))),
                        m_bind(down, m_op("Floor", m_same(x))))))
    return {};
  return c.g.emit("Where", {greater(x, 0), down, up}, root.type());
}

/// jnp.copysign. Where would drop the sign of -0.
inline outcome factor_of_sign(const context& c, const value& root) {
  const value a = input_of(root, 1), b = input_of(root, 2);
  const bool first = match(a, m_op("Neg", m_same(b)));
  const value x = first ? b : a, negative = first ? a : b;
  if (!match(negative, m_op("Neg", m_same(x))) || x.dims() != root.dims() || !is_floating(x.dtype())) return {};
  if (!c.single_use(negative)) return decline("the negative is read elsewhere too");
  const value minus = scalar(c.g, x.dtype(), -1.0), plus = scalar(c.g, x.dtype(), 1.0);
  return mul(x, where(input_of(root, 0), first ? minus : plus, first ? plus : minus));
}

inline constexpr rule tidy_algebra_rules[] = {
    {"join-casts", "Cast(Cast(x)) -> Cast(x)", "the inner Cast is exact for every value", ops<"Cast">, join_casts},
    {"cast-of-table", "Cast(Gather(c, i)) -> Gather(Cast(c), i)",
     "a constant c of integers, up to 4096 bytes; the numbers are read once", ops<"Cast">, cast_of_table},
    {"compare-of-bool",
     "Cast(b) = 1 -> b, Cast(b) > 0 -> b, 0 < Cast(b) -> b, Cast(b) = 0 -> Not(b), Cast(b) < 1 -> Not(b)",
     "a boolean b of the result's shape", ops<"Equal", "Greater", "Less">, compare_of_bool},
    {"cast-of-choice", "Cast(Where(c, 1, 0)) -> c, Cast(Where(c, -1, 0)) -> c, Cast(Where(c, 0, 1)) -> Not(c)",
     "a Cast to boolean; c of the result's shape", ops<"Cast">, cast_of_choice},
    {"choice-of-truths",
     "Where(c, true, false) -> c, Where(c, false, true) -> Not(c), Where(c, a, false) -> And(c, a), Where(c, true, b) "
     "-> Or(c, b), Where(c, false, b) -> And(Not(c), b), Where(c, a, true) -> Or(Not(c), a)",
     "boolean a and b; what is left has the result's shape", ops<"Where">, choice_of_truths},
    {"drop-neutral",
     "x + 0 -> x, x - 0 -> x, x 1 -> x, x / 1 -> x, Pow(x, 1) -> x, Max(x, -inf) -> x, Min(x, inf) -> x, "
     "And(x, true) -> x, Or(x, false) -> x, Xor(x, false) -> x",
     "-0 for the 0 of a floating-point sum; +0 for that of a difference",
     ops<"Add", "And", "Div", "Max", "Min", "Mul", "Or", "Pow", "Sub", "Xor">, drop_neutral},
    {"drop-zero-under-root", "Sqrt(x + 0) + c -> Sqrt(x) + c", "a constant c that is not 0", ops<"Add">,
     drop_zero_under_root},
    {"drop-involution", "Neg(Neg(x)) -> x, Not(Not(x)) -> x", "", ops<"Neg", "Not">, drop_involution},
    {"join-negations", "And(Not(a), Not(b)) -> Not(Or(a, b)), Or(Not(a), Not(b)) -> Not(And(a, b))",
     "the negations are read once", ops<"And", "Or">, join_negations},
    {"drop-negation", "Not(x < y) -> x >= y, also >, <= and >=", "integers; the comparison is read once", ops<"Not">,
     drop_negation},
    {"known-where", "Where(c, a, b) -> a or b", "c is known, by the ranges of what it compares", ops<"Where">,
     known_where},
    {"turn-where", "Where(Not(c), a, b) -> Where(c, b, a)", "", ops<"Where">, swap_where},
    {"join-choices", "Where(c, Where(d, a, b), b) -> Where(And(c, d), a, b), also with a Reshape of the inner Where",
     "b is a scalar; the inner Where is read once; with a Reshape, c and d have the shapes of the results",
     ops<"Where">, join_choices, stage::fuse},
    {"turn-truncation", "Where(x < 0, Ceil(x), Floor(x)) -> Where(x > 0, Floor(x), Ceil(x))", "", ops<"Where">,
     turn_truncation},
    {"sign-factor", "Where(c, -x, x) -> x Where(c, -1, 1), Where(c, x, -x) -> x Where(c, 1, -1)",
     "floating-point x of the result's shape; -x is read once", ops<"Where">, factor_of_sign, stage::exact},
};

}  // namespace jax2onnx::rewrite::detail
