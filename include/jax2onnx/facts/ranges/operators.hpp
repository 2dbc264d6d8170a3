// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/facts/ranges/conditions.hpp>
#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/by_operator.hpp>
#include <jax2onnx/operators/views/attributes.hpp>
#include <jax2onnx/operators/views/shape.hpp>

/// The ranges of the results of ONNX's operators, from the ranges of their operands.
namespace jax2onnx::detail {

/// Output `out` of a node whose operands the analysis has visited.
struct visited_node {
  graph& g;
  const node& n;
  value_id out;

  interval_math math() const { return interval_math(g.dims()); }
  dtype type() const { return g.at(out).type.type; }
  interval unknown() const { return values_of(type()); }
  bool has(std::size_t i) const { return i < n.inputs.size() && n.inputs[i] != value_id::none; }
  interval in(std::size_t i) const { return visited_range(g, n.inputs[i]); }
  const shape& dims(std::size_t i) const { return g.at(n.inputs[i]).type.dims; }
  bool flag(std::string_view name) const { return operators::flag_of({g, out}, name); }
  std::string text(std::string_view name) const { return operators::text_of({g, out}, name); }
  std::size_t output_number() const {
    return static_cast<std::size_t>(std::find(n.outputs.begin(), n.outputs.end(), out) - n.outputs.begin());
  }
  /// The extent along attribute `axis` of operand 0.
  dim extent_along_axis() const { return dims(0)[static_cast<std::size_t>(operators::axis_of({g, out}))]; }
};

using range_rule = interval (*)(const visited_node&);

/// The range of the elements of operand 0.
inline interval range_of_elements(const visited_node& v) { return v.in(0); }
/// The range of the elements of all operands.
inline interval range_of_all(const visited_node& v) {
  interval r = v.in(0);
  for (std::size_t i = 1; i < v.n.inputs.size(); ++i) r = v.math().hull(r, v.in(i));
  return r;
}

inline interval range_of_sum(const visited_node& v) { return v.math().add(v.in(0), v.in(1), v.type()); }
inline interval range_of_product(const visited_node& v) { return v.math().mul(v.in(0), v.in(1), v.type()); }
inline interval range_of_negative(const visited_node& v) { return v.math().sub(only(0), v.in(0), v.type()); }

/// The range of r in x = q d + r with a truncated quotient q: r has the sign of x, and |r| < d for d > 0.
inline interval range_of_remainder(const visited_node& v, const interval& x, const interval& d) {
  const interval_math math = v.math();
  if (!math.at_most(1, d.low)) return v.unknown();
  const dim most = math.plus(d.high, -1);
  if (math.at_most(0, x.low)) return {0, math.better_high(most, x.high)};
  return {math.minus(0, most), math.at_most(x.high, 0) ? dim(0) : most};
}
/// The range of a difference. x - x / d * d is a remainder.
inline interval range_of_difference(const visited_node& v) {
  const interval r = v.math().sub(v.in(0), v.in(1), v.type());
  const node* product = operators::producer({v.g, v.n.inputs[1]}, "Mul");
  const node* quotient = product ? operators::producer({v.g, product->inputs[0]}, "Div") : nullptr;
  if (!quotient || quotient->inputs[0] != v.n.inputs[0] || quotient->inputs[1] != product->inputs[1]) return r;
  return v.math().intersection(r, range_of_remainder(v, v.in(0), visited_range(v.g, product->inputs[1]))).value_or(r);
}
inline interval range_of_mod(const visited_node& v) {
  if (v.flag("fmod") || v.math().at_most(0, v.in(0).low)) return range_of_remainder(v, v.in(0), v.in(1));
  return v.math().at_most(1, v.in(1).low) ? interval{0, v.math().plus(v.in(1).high, -1)} : v.unknown();
}
/// The range of a quotient; division truncates.
inline interval range_of_quotient(const visited_node& v) {
  const interval x = v.in(0), d = v.in(1);
  if (!v.math().at_most(1, d.low)) return v.unknown();
  if (d.low.is_constant() && d.low == d.high && x.low.is_constant() && x.high.is_constant())
    return {x.low.extent() / d.low.extent(), x.high.extent() / d.low.extent()};
  if (v.math().at_most(0, x.low)) return {0, x.high};
  return v.unknown();
}
inline interval range_of_magnitude(const visited_node& v) {
  const interval x = v.in(0), minus = v.math().sub(only(0), x, v.type());
  if (v.math().at_most(0, x.low)) return x;
  if (v.math().at_most(x.high, 0)) return minus;
  return minus.high == v.unknown().high ? v.unknown() : interval{0, v.math().greater(x.high, minus.high)};
}
inline interval range_of_sign(const visited_node&) { return {-1, 1}; }

inline interval smaller_of(const interval_math& math, const interval& a, const interval& b) {
  return {math.lesser(a.low, b.low), math.better_high(a.high, b.high)};
}
inline interval larger_of(const interval_math& math, const interval& a, const interval& b) {
  return {math.better_low(a.low, b.low), math.greater(a.high, b.high)};
}
inline interval range_of_minimum(const visited_node& v) {
  interval r = v.in(0);
  for (std::size_t i = 1; i < v.n.inputs.size(); ++i) r = smaller_of(v.math(), r, v.in(i));
  return r;
}
inline interval range_of_maximum(const visited_node& v) {
  interval r = v.in(0);
  for (std::size_t i = 1; i < v.n.inputs.size(); ++i) r = larger_of(v.math(), r, v.in(i));
  return r;
}
inline interval range_of_clip(const visited_node& v) {
  interval r = v.in(0);
  if (v.has(1)) r = larger_of(v.math(), r, v.in(1));
  if (v.has(2)) r = smaller_of(v.math(), r, v.in(2));
  return r;
}
/// If an operand is not negative, the result is not negative, and is at most that operand.
inline interval range_of_bitwise_and(const visited_node& v) {
  const interval a = v.in(0), b = v.in(1);
  const bool first = v.math().at_most(0, a.low), second = v.math().at_most(0, b.low);
  if (first && second) return {0, v.math().better_high(a.high, b.high)};
  return first ? interval{0, a.high} : second ? interval{0, b.high} : v.unknown();
}
/// A right shift does not make a number larger if the number is not negative.
inline interval range_of_shift(const visited_node& v) {
  const interval x = v.in(0);
  return v.text("direction") == "RIGHT" && v.math().at_most(0, x.low) ? interval{0, x.high} : v.unknown();
}

/// The range of a comparison, given whether it is known to hold and whether it is known to fail.
inline interval truth_of(bool holds, bool fails) { return holds ? only(1) : fails ? only(0) : interval{0, 1}; }
inline interval range_of_less(const visited_node& v, const interval& a, const interval& b) {
  return truth_of(v.math().below(a, b), v.math().at_most(b.high, a.low));
}
inline interval range_of_less(const visited_node& v) { return range_of_less(v, v.in(0), v.in(1)); }
inline interval range_of_greater(const visited_node& v) { return range_of_less(v, v.in(1), v.in(0)); }
inline interval range_of_negation(const interval& r) {
  return r.low == r.high ? only(r.low.is(0) ? 1 : 0) : interval{0, 1};
}
inline interval range_of_less_or_equal(const visited_node& v) { return range_of_negation(range_of_greater(v)); }
inline interval range_of_greater_or_equal(const visited_node& v) { return range_of_negation(range_of_less(v)); }
inline interval range_of_not(const visited_node& v) { return range_of_negation(v.in(0)); }
inline interval range_of_equal(const visited_node& v) {
  const interval a = v.in(0), b = v.in(1);
  const bool single = !a.low.is_dyn() && a.low == a.high && b.low == b.high;
  return truth_of(single && a.low == b.low, v.math().disjoint(a, b));
}
inline interval range_of_xor(const visited_node& v) { return range_of_negation(range_of_equal(v)); }

inline interval range_of_cast(const visited_node& v) {
  const dtype from = v.g.at(v.n.inputs[0]).type.type;
  // An unbounded range comes from a 64-bit type, whose ends are not the ends of the result's type.
  const bool unbounded = v.in(0).low.is_dyn() || v.in(0).high.is_dyn();
  if (is_floating(from) || is_boolean(v.type()) || (unbounded && from != v.type())) return v.unknown();
  return v.math().wrapped(v.in(0), v.type());
}
/// The range of an index along the axis.
inline interval range_of_index(const visited_node& v) { return {0, v.math().plus(v.extent_along_axis(), -1)}; }
inline interval range_of_top_k(const visited_node& v) { return v.output_number() == 0 ? v.in(0) : range_of_index(v); }
/// The range of the numbers from operand 0 to operand 1, which is excluded, in steps of operand 2.
inline interval range_of_numbers(const visited_node& v) {
  const interval_math math = v.math();
  if (math.at_most(1, v.in(2).low)) return {v.in(0).low, math.plus(v.in(1).high, -1)};
  if (math.at_most(v.in(2).high, -1)) return {math.plus(v.in(1).low, 1), v.in(0).high};
  return v.unknown();
}
inline interval range_of_extents(const visited_node& v) {
  const shape& dims = v.dims(0);
  std::optional<interval> r;
  for (auto [axis, end] = operators::extents_read_by(v.n, std::ssize(dims)); axis < end; ++axis) {
    const dim d = dims[static_cast<std::size_t>(axis)];
    const interval extent = d.is_dyn() ? interval{0, dim::dyn()} : only(d);
    r = r ? v.math().hull(*r, extent) : extent;
  }
  return r.value_or(v.unknown());
}
/// The range of sums of elements of operand 0. No sum has more summands than operand 0 has elements.
inline interval range_of_total(const visited_node& v) {
  const interval x = v.in(0);
  dim count = 1;
  for (dim d : v.dims(0)) count = v.math().times(count, d);
  if (!count.is_constant() || !x.low.is_constant() || !x.high.is_constant()) return v.unknown();
  const interval most = v.math().mul(x, only(count), v.type());
  return v.math().hull(only(0), v.math().hull(x, most));
}
inline interval range_of_padded(const visited_node& v) {
  if (v.text("mode") != "constant") return v.in(0);
  return v.math().hull(v.in(0), v.has(2) ? v.in(2) : only(0));
}
inline interval range_of_update(const visited_node& v) {
  return v.text("reduction") == "none" ? v.math().hull(v.in(0), v.in(2)) : v.unknown();
}
/// The ranges of both branches, each narrowed to the elements for which the condition chooses it.
inline interval range_of_choice(const visited_node& v) {
  const interval condition = v.in(0);
  const auto branch = [&](std::size_t i, bool truth) -> std::optional<interval> {
    if (condition == only(truth ? 0 : 1)) return std::nullopt;
    return range_where(v.g, v.n.inputs[i], v.n.inputs[0], truth);
  };
  const std::optional<interval> a = branch(1, true), b = branch(2, false);
  if (a && b) return v.math().hull(*a, *b);
  return a ? *a : b ? *b : v.unknown();
}

/// An operator and the rule that computes the range of its results. Operators with the trait `selects` need no row.
struct operator_range {
  operator_name op;
  range_rule rule;
};

inline constexpr operator_range operator_ranges[] = {
    {"Abs", range_of_magnitude},
    {"Add", range_of_sum},
    {"And", range_of_minimum},
    {"ArgMax", range_of_index},
    {"ArgMin", range_of_index},
    {"BitShift", range_of_shift},
    {"BitwiseAnd", range_of_bitwise_and},
    {"Cast", range_of_cast},
    {"Clip", range_of_clip},
    {"Concat", range_of_all},
    {"CumSum", range_of_total},
    {"Div", range_of_quotient},
    {"Equal", range_of_equal},
    {"Greater", range_of_greater},
    {"GreaterOrEqual", range_of_greater_or_equal},
    {"Less", range_of_less},
    {"LessOrEqual", range_of_less_or_equal},
    {"Max", range_of_maximum},
    {"Min", range_of_minimum},
    {"Mod", range_of_mod},
    {"Mul", range_of_product},
    {"Neg", range_of_negative},
    {"Not", range_of_not},
    {"Or", range_of_maximum},
    {"Pad", range_of_padded},
    {"Range", range_of_numbers},
    {"ReduceMax", range_of_elements},
    {"ReduceMin", range_of_elements},
    {"ReduceSum", range_of_total},
    {"ScatterElements", range_of_update},
    {"ScatterND", range_of_update},
    {"Shape", range_of_extents},
    {"Sign", range_of_sign},
    {"Sub", range_of_difference},
    {"TopK", range_of_top_k},
    {"Where", range_of_choice},
    {"Xor", range_of_xor},
};

inline constexpr operators::by_operator rows_of_ranges(operator_ranges);

/// The rule of an operator of ai.onnx; null if it has none.
inline range_rule range_rule_of(const node& n) {
  if (!n.domain.empty()) return nullptr;
  if (const operator_range* row = rows_of_ranges.find(n.op)) return row->rule;
  return operators::has_trait(n.op, operators::trait::selects) ? range_of_elements : nullptr;
}

}  // namespace jax2onnx::detail
