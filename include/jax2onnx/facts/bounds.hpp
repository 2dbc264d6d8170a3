// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/operators/by_operator.hpp>
#include <jax2onnx/operators/views/window.hpp>

/// Bounds of the elements of values, as far as the graph shows them. All floating-point values may also contain NaN.
namespace jax2onnx::facts {

/// A bound from below: none (-inf is possible), some finite number, or zero.
enum class lower_bound : std::uint8_t { none, finite, zero };

/// True only if each element of `v` is an element of the first operand of the node that makes `v`, or a mean of such
/// elements and zeros. A dilated window of MaxPool may have no element; its maximum is then -inf.
inline bool is_made_of_first(const value& v) {
  using operators::trait;
  return operators::has_trait(v, trait::selects) || operators::has_trait(v, trait::averages) ||
         (operators::producer(v, "MaxPool") && !operators::is_dilated(v));
}

/// Bounds of the operands of a node. Looks at up to `budget` nodes.
template <class Bound>
struct bounds_below {
  const value& v;
  int& budget;
  Bound (*within)(const value&, int&);
  Bound of(std::size_t i) const { return within(operators::input_of(v, i), budget); }
  std::size_t count() const { return operators::producer(v)->inputs.size(); }
};

/// The functions that derive bounds of a result from bounds of the operands; null for a bound that is unknown or that
/// follows from traits.
struct bound_row {
  operator_name op;
  lower_bound (*low)(const bounds_below<lower_bound>&);
  double (*magnitude)(const bounds_below<double>&);
};

namespace of_bounds {

inline lower_bound least(const bounds_below<lower_bound>& b) {
  lower_bound least = lower_bound::zero;
  for (std::size_t i = 0; i < b.count() && least != lower_bound::none; ++i) least = std::min(least, b.of(i));
  return least;
}
/// Zero if all operands are at least zero, else none: sums and products of finite numbers can overflow.
inline lower_bound zero_if_all_are(const bounds_below<lower_bound>& b) {
  return least(b) == lower_bound::zero ? lower_bound::zero : lower_bound::none;
}
inline lower_bound greatest(const bounds_below<lower_bound>& b) {
  lower_bound greatest = lower_bound::none;
  for (std::size_t i = 0; i < b.count(); ++i) greatest = std::max(greatest, b.of(i));
  return greatest;
}
/// If the upper bound of a Clip is below its lower bound, the result is the upper bound.
inline lower_bound clipped(const bounds_below<lower_bound>& b) {
  const lower_bound raised = std::max(b.of(0), b.of(1));
  return b.count() > 2 && operators::input_of(b.v, 2) ? std::min(raised, b.of(2)) : raised;
}
inline lower_bound converted(const bounds_below<lower_bound>& b) {
  const dtype from = operators::input_of(b.v, 0).dtype();
  if (!is_floating(b.v.dtype())) return lower_bound::none;
  return from == dtype::boolean || is_unsigned_integer(from) ? lower_bound::zero : zero_if_all_are(b);
}
inline lower_bound either(const bounds_below<lower_bound>& b) { return std::min(b.of(1), b.of(2)); }

inline double one(const bounds_below<double>&) { return 1; }
inline double first(const bounds_below<double>& b) { return b.of(0); }
inline double sum(const bounds_below<double>& b) { return b.of(0) + b.of(1); }
inline double product(const bounds_below<double>& b) { return b.of(0) * b.of(1); }
inline double larger(const bounds_below<double>& b) { return std::max(b.of(1), b.of(2)); }
inline double converted(const bounds_below<double>& b) {
  const value x = operators::input_of(b.v, 0);
  if (x.dtype() == dtype::boolean) return 1;
  return is_integer(x.dtype()) ? std::min(b.of(0), 0x1p64) : b.of(0);
}
inline double difference(const bounds_below<double>& b);
inline double exponential(const bounds_below<double>& b);

}  // namespace of_bounds

/// Operators whose bounds do not follow from traits.
inline constexpr bound_row bound_rows[] = {
    {"Abs", nullptr, of_bounds::first},
    {"Add", of_bounds::zero_if_all_are, of_bounds::sum},
    {"Cast", of_bounds::converted, of_bounds::converted},
    {"Clip", of_bounds::clipped, nullptr},
    {"Concat", of_bounds::least, nullptr},
    {"Exp", nullptr, of_bounds::exponential},
    {"Max", of_bounds::greatest, nullptr},
    {"Mul", of_bounds::zero_if_all_are, of_bounds::product},
    {"Neg", nullptr, of_bounds::first},
    {"Sigmoid", nullptr, of_bounds::one},
    {"Sub", nullptr, of_bounds::difference},
    {"Tanh", nullptr, of_bounds::one},
    {"Where", of_bounds::either, of_bounds::larger},
};
inline constexpr operators::by_operator rows_of_bounds(bound_rows);

/// True if a condition holds for all numbers of a constant that elements_of() can read, of at most 64 KiB; false for
/// any other value.
template <class Condition>
bool all_in_constant(const value& v, const Condition& holds) {
  constexpr std::uint64_t longest = std::uint64_t{1} << 16;
  const std::optional<elements> all = elements_of(v, longest);
  for (std::size_t i = 0; all && i < all->bits.size(); ++i)
    if (!holds((*all)[i].number())) return false;
  return all.has_value();
}

constexpr lower_bound bound_of_number(double number) {
  if (number >= 0) return lower_bound::zero;
  return number > -std::numeric_limits<double>::infinity() ? lower_bound::finite : lower_bound::none;
}

/// A lower bound of the elements of `v`. Looks at up to `budget` nodes.
inline lower_bound bound_within(const value& v, int& budget) {
  using operators::trait;
  if (!v) return lower_bound::none;
  if (const auto number = uniform_number(v)) return bound_of_number(*number);
  if (v.is_constant())
    return all_in_constant(v, [](double x) { return x >= 0; }) ? lower_bound::zero : lower_bound::none;
  const node* n = operators::producer(v);
  if (!n || !n->domain.empty() || --budget < 0) return lower_bound::none;
  if (has_trait(*n, trait::nonnegative)) return lower_bound::zero;
  if (has_trait(*n, trait::bounded_below)) return lower_bound::finite;
  const bounds_below<lower_bound> below{v, budget, bound_within};
  if (is_made_of_first(v)) return below.of(0);
  const bound_row* row = rows_of_bounds.find(n->op);
  return row && row->low ? row->low(below) : lower_bound::none;
}

/// A lower bound of the elements of `v`. Looks at a few nodes only. Valid only for floating-point values: integers may
/// overflow.
inline lower_bound lower_bound_of(const value& v) {
  int budget = 32;
  return bound_within(v, budget);
}

/// True only if `v` is of floating-point type and no element of `v` is over 0; NaN aside. Looks at up to `budget`
/// nodes.
inline bool is_nonpositive(const value& v, int& budget) {
  if (!v || !is_floating(v.dtype())) return false;
  if (const auto number = uniform_number(v)) return *number <= 0;
  if (v.is_constant()) return all_in_constant(v, [](double x) { return x <= 0; });
  const node* n = operators::producer(v);
  if (!n || !n->domain.empty() || --budget < 0) return false;
  const auto operand = [&](std::size_t i) { return operators::input_of(v, i); };
  const auto is_product = [&](std::size_t i) {
    return bound_within(operand(i), budget) == lower_bound::zero && is_nonpositive(operand(1 - i), budget);
  };
  if (is_made_of_first(v)) return is_nonpositive(operand(0), budget);
  if (operators::producer(v, "Neg")) return bound_within(operand(0), budget) == lower_bound::zero;
  return operators::producer(v, "Mul") && (is_product(0) || is_product(1));
}

/// The largest absolute value in a constant of at most 64 KiB; infinity for other values and for constants with NaN.
inline double largest_in_constant(const value& v) {
  double largest = 0;
  const auto add = [&](double number) {
    largest = std::max(largest, std::abs(number));
    return !std::isnan(number);
  };
  return all_in_constant(v, add) ? largest : std::numeric_limits<double>::infinity();
}

/// An upper bound of |v|; NaN aside. Looks at up to `budget` nodes.
inline double magnitude_within(const value& v, int& budget) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (!v) return unknown;
  if (const auto number = uniform_number(v)) return std::isnan(*number) ? unknown : std::abs(*number);
  if (v.is_constant()) return largest_in_constant(v);
  const node* n = operators::producer(v);
  if (!n || !n->domain.empty() || --budget < 0) return unknown;
  const bounds_below<double> below{v, budget, magnitude_within};
  if (is_made_of_first(v)) return below.of(0);
  if (is_unsigned_integer(v.dtype())) return std::ldexp(1.0, bits(v.dtype()));  // negative numbers wrap
  const bound_row* row = rows_of_bounds.find(n->op);
  return row && row->magnitude ? row->magnitude(below) : unknown;
}

namespace of_bounds {

/// An upper bound of the magnitude of a difference. If neither number is below 0, the larger number is such a bound.
inline double difference(const bounds_below<double>& b) {
  const auto is_nonnegative = [&](std::size_t i) {
    return bound_within(operators::input_of(b.v, i), b.budget) == lower_bound::zero;
  };
  return is_nonnegative(0) && is_nonnegative(1) ? std::max(b.of(0), b.of(1)) : sum(b);
}
inline double exponential(const bounds_below<double>& b) {
  return is_nonpositive(operators::input_of(b.v, 0), b.budget) ? 1 : std::numeric_limits<double>::infinity();
}

}  // namespace of_bounds

/// An upper bound of |v|; NaN aside. Looks at a few nodes only. Valid only for floating-point values: integers may
/// overflow.
inline double magnitude_of(const value& v) {
  int budget = 32;
  return magnitude_within(v, budget);
}

}  // namespace jax2onnx::facts
