// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/by_operator.hpp>
#include <jax2onnx/operators/views/producer.hpp>

/// Derives ranges of numbers from a condition that compares the numbers.
namespace jax2onnx::detail {

/// The known range of a value that the analysis has visited. For any other value, the range of all values of its type;
/// unbounded for an absent value.
inline interval visited_range(const graph& g, value_id v) {
  if (v == value_id::none) return {};
  const interval* known = g.known_range(v);
  return known ? *known : values_of(g.at(v).type.type);
}

/// Narrows the range of one value by conditions: comparisons with the value, and And, Or, Not, Xor and Equal of such
/// comparisons. An element of the value belongs to the element of the condition at the same index.
class narrowed_range {
 public:
  narrowed_range(graph& g, value_id v) : g_(g), math_(g.dims()), v_(v), range_(visited_range(g, v)) {}

  /// Narrows the range to the elements for which `condition` is `truth`.
  narrowed_range& where(value_id condition, bool truth) {
    assume(condition, truth);
    return *this;
  }
  /// The narrowed range; nullopt if it is known that no element meets the conditions.
  std::optional<interval> range() const {
    return math_.at_most(math_.plus(range_.high, 1), range_.low) ? std::nullopt : std::optional(range_);
  }

 private:
  void assume(value_id condition, bool truth) {
    const node_id producer = condition == value_id::none ? node_id::none : g_.at(condition).producer;
    if (producer == node_id::none || --steps_ < 0) return;
    const node& n = g_.at(producer);
    const auto* row = n.domain.empty() ? rows.find(n.op) : nullptr;
    if (row) (this->*row->assume)(n.inputs, truth);
  }

  using operands = const std::vector<value_id>&;
  struct compared {
    operator_name op;
    void (narrowed_range::*assume)(operands, bool truth);
  };
  static const compared conditions[];
  static const operators::by_operator<compared, 9> rows;

  void assume_not(operands in, bool truth) { assume(in[0], !truth); }
  void assume_and(operands in, bool truth) {
    if (truth) assume_both(in, truth);
    else assume_either(in[0], in[1], truth);
  }
  void assume_or(operands in, bool truth) {
    if (truth) assume_either(in[0], in[1], truth);
    else assume_both(in, truth);
  }
  void assume_both(operands in, bool truth) {
    assume(in[0], truth);
    assume(in[1], truth);
  }
  void assume_less(operands in, bool truth) { assume_less(in[0], in[1], truth); }
  void assume_greater(operands in, bool truth) { assume_less(in[1], in[0], truth); }
  void assume_less_or_equal(operands in, bool truth) { assume_less(in[1], in[0], !truth); }
  void assume_greater_or_equal(operands in, bool truth) { assume_less(in[0], in[1], !truth); }
  void assume_equal(operands in, bool truth) {
    assume_same(in[0], in[1], truth);
    assume_same(in[1], in[0], truth);
  }
  void assume_xor(operands in, bool truth) { assume_equal(in, !truth); }

  /// Assumes that a or b is `truth`.
  void assume_either(value_id a, value_id b, bool truth) {
    const interval before = range_;
    assume(a, truth);
    const std::optional<interval> first = range();
    range_ = before;
    assume(b, truth);
    const std::optional<interval> second = range();
    if (first) range_ = second ? math_.hull(*first, *second) : *first;
  }
  /// Assumes that a < b if `truth`, otherwise that b <= a.
  void assume_less(value_id a, value_id b, bool truth) {
    const interval ra = visited_range(g_, a), rb = visited_range(g_, b);
    if (a == v_ && truth) at_most(math_.plus(rb.high, -1));
    if (b == v_ && truth) at_least(math_.plus(ra.low, 1));
    if (a == v_ && !truth) at_least(rb.low);
    if (b == v_ && !truth) at_most(ra.high);
  }
  /// Assumes that a == b if `truth`, otherwise that a != b. Narrows the range only if a is the value and `truth` holds.
  /// If a is another bool and b has one known value, a is itself a condition, which is assumed to be true or false.
  void assume_same(value_id a, value_id b, bool truth) {
    const interval other = visited_range(g_, b);
    if (a == v_ && truth) {
      at_least(other.low);
      at_most(other.high);
    } else if (is_boolean(g_.at(a).type.type) && other.low == other.high) {
      assume(a, other.low.is(1) == truth);
    }
  }
  void at_least(dim low) { range_.low = math_.better_low(range_.low, low); }
  void at_most(dim high) { range_.high = math_.better_high(range_.high, high); }

  graph& g_;
  interval_math math_;
  value_id v_;
  interval range_;
  int steps_ = 16;  // the number of further nodes of conditions that may be looked at
};

inline constexpr narrowed_range::compared narrowed_range::conditions[] = {
    {"And", &narrowed_range::assume_and},         {"Equal", &narrowed_range::assume_equal},
    {"Greater", &narrowed_range::assume_greater}, {"GreaterOrEqual", &narrowed_range::assume_greater_or_equal},
    {"Less", &narrowed_range::assume_less},       {"LessOrEqual", &narrowed_range::assume_less_or_equal},
    {"Not", &narrowed_range::assume_not},         {"Or", &narrowed_range::assume_or},
    {"Xor", &narrowed_range::assume_xor},
};
inline constexpr operators::by_operator<narrowed_range::compared, 9> narrowed_range::rows(narrowed_range::conditions);

/// The range of the elements of v for which `condition` is `truth`; nullopt if there are known to be none. If v is a
/// sum, the ranges of its operands are narrowed as well.
inline std::optional<interval> range_where(graph& g, value_id v, value_id condition, bool truth) {
  const interval_math math(g.dims());
  const std::optional<interval> whole = narrowed_range(g, v).where(condition, truth).range();
  const node* sum = operators::producer({g, v}, "Add");
  if (!whole || !sum) return whole;
  const auto part = [&](std::size_t i) { return narrowed_range(g, sum->inputs[i]).where(condition, truth).range(); };
  const std::optional<interval> a = part(0), b = part(1);
  return a && b ? math.intersection(*whole, math.add(*a, *b, g.at(v).type.type)) : std::nullopt;
}

}  // namespace jax2onnx::detail
