#pragma once

#include <cmath>
#include <optional>

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/lower/reduction/exact_integers.hpp>
#include <jax2onnx/lower/elementwise/map.hpp>

/// Comparison and selection.
namespace jax2onnx::lower {

/// x != x is how JAX asks for NaN.
inline value not_equal(const value& a, const value& b) {
  if (a == b && is_floating(a.dtype())) return is_nan(a);
  return is_boolean(a.dtype()) ? logical_xor(a, b) : logical_not(equal(a, b));
}

/// |x| < infinity, which NaN is not; not every float of 8 bits has an infinity to compare with.
inline value is_finite(const value& x) { return less(abs(bits(x.dtype()) < 16 ? cast(x, dtype::f32) : x), INFINITY); }

/// What is `otherwise` where a node `condition` holds and `number` elsewhere; absent where v is something else.
inline value otherwise_of(const value& v, double number, const auto& condition) {
  graph& g = v.owner();
  const node_id id = g.at(v.id()).producer;
  if (id == node_id::none || g.at(id).op != "Where") return {};
  const auto known = uniform_number({g, g.at(id).inputs[1]});
  const node_id test = g.at(g.at(id).inputs[0]).producer;
  if (!known || test == node_id::none || !(*known == number || (std::isnan(*known) && std::isnan(number)))) return {};
  const value otherwise(g, g.at(id).inputs[2]);
  return condition(g.at(test), otherwise) ? otherwise : value{};
}

/// x without JAX's `where(isnan(x), nan, where(x == 0, 0, x))`, which leaves one NaN and one zero; absent where v is not that.
inline value canonical_operand(const value& v) {
  graph& g = v.owner();
  const value no_nan = otherwise_of(v, std::nan(""), [](const node& test, const value&) { return test.op == "IsNaN"; });
  if (!no_nan) return {};
  const value x = otherwise_of(no_nan, 0, [&](const node& test, const value& other) {
    const auto zero = test.op == "Equal" ? uniform_number({g, test.inputs[1]}) : std::nullopt;
    return zero == 0.0 && test.inputs[0] == other.id();
  });
  const bool same = x && g.at(g.at(g.at(g.at(v.id()).producer).inputs[0]).producer).inputs[0] == x.id();
  return same ? x : value{};
}

/// a < b in the total order -inf < … < -0 < 0 < … < inf < NaN. (JAX puts NaN with a sign bit first; arithmetic does not
/// tell it from other ones.)
inline value less_total(const value& a, const value& b) {
  if (!is_floating(a.dtype())) return less(a, b);
  const value x = canonical_operand(a), y = canonical_operand(b);
  if (x && y) return logical_not(logical_or(greater_equal(x, y), is_nan(x)));
  const value ordered = logical_not(logical_or(greater_equal(a, b), is_nan(a)));
  return logical_or(ordered, logical_and(equal(a, b), less(reciprocal(a), reciprocal(b))));
}
inline value less_equal_total(const value& a, const value& b) {
  if (!is_floating(a.dtype())) return less_equal(a, b);
  const value x = canonical_operand(a), y = canonical_operand(b);
  return x && y ? logical_or(greater_equal(y, x), is_nan(y)) : logical_not(less_total(b, a));
}
inline value equal_total(const value& a, const value& b) {
  if (!is_floating(a.dtype())) return equal(a, b);
  const value same = logical_and(equal(a, b), equal(reciprocal(a), reciprocal(b)));
  return logical_or(same, logical_and(is_nan(a), is_nan(b)));
}

/// select_n which case0 case1 …: case0 when which is false, 0 or less, the last one when it is too large.
inline results select_n(const site& s) {
  const value which = s.in_parts(0).re();
  if (is_boolean(which.dtype())) return {where(which, s.in(2), s.in(1))};
  value chosen = s.in(s.arity() - 1);
  for (std::size_t i = s.arity() - 2; i >= 1; --i)
    chosen = where(less(which, static_cast<std::int64_t>(i)), s.in(i), chosen);
  return {chosen};
}

/// clamp min x max; JAX takes max(min, x) first, then min(max, that). Clip does the same to numbers.
inline results clamp(const site& s) {
  const value low = s.in(0), x = s.in(1), high = s.in(2);
  const auto number = [](const value& bound) {
    if (!is_floating(bound.dtype())) return bound.rank() == 0;
    const auto known = uniform_number(bound);
    return bound.rank() == 0 && known && !std::isnan(*known);
  };
  const bool by_halves = x.dtype() == dtype::i64 && is_wide_integer(x);
  if (number(low) && number(high) && !by_halves) return {clip(x, low, high)};
  return {extreme("Min", extreme("Max", x, low), high)};
}

inline constexpr lowering compare_rows[] = {
    {"clamp", clamp, "Clip, or Max and Min"},
    {"eq", compare2<"Equal">, "Equal"},
    {"eq_to", apply2<equal_total>, "Equal, Reciprocal, IsNaN"},
    {"ge", compare2<"GreaterOrEqual">, "GreaterOrEqual"},
    {"gt", compare2<"Greater">, "Greater"},
    {"is_finite", apply1<is_finite>, "Abs, Less"},
    {"le", compare2<"LessOrEqual">, "LessOrEqual"},
    {"le_to", apply2<less_equal_total>, "GreaterOrEqual, Reciprocal, IsNaN"},
    {"lt", compare2<"Less">, "Less"},
    {"lt_to", apply2<less_total>, "GreaterOrEqual, Reciprocal, IsNaN"},
    {"ne", apply2<not_equal>, "Equal, Not; IsNaN for x != x"},
    {"select_n", select_n, "Where", parts_rule::each},
};

}  // namespace jax2onnx::lower
