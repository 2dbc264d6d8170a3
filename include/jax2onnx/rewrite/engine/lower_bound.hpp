#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/rewrite/engine/small_constants.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// What a graph shows of the smallest and largest elements of values. NaN is possible in all floating-point ones.
namespace jax2onnx::rewrite {

/// A bound from below: none (-inf is possible), some finite number, or zero.
enum class lower_bound : std::uint8_t { none, finite, zero };

namespace detail {

/// Whether the elements of `v` are elements of its first operand, or means of some. A dilated window of MaxPool may have
/// no element, whose maximum is -inf.
inline bool is_made_of_first(const value& v) {
  return has_trait(v, trait::selects) || has_trait(v, trait::averages) || (producer(v, "MaxPool") && !is_dilated(v));
}

constexpr lower_bound bound_of_number(double number) {
  if (number >= 0) return lower_bound::zero;
  return number > -std::numeric_limits<double>::infinity() ? lower_bound::finite : lower_bound::none;
}

/// Looks at up to `budget` nodes.
inline lower_bound bound_within(const value& v, int& budget) {
  if (!v) return lower_bound::none;
  if (const auto number = uniform_number(v)) return bound_of_number(*number);
  const node* n = producer(v);
  if (!n || !n->domain.empty() || --budget < 0) return lower_bound::none;
  if (has_trait(*n, trait::nonnegative)) return lower_bound::zero;
  if (has_trait(*n, trait::bounded_below)) return lower_bound::finite;
  const auto of = [&](std::size_t i) { return bound_within(input_of(v, i), budget); };
  if (is_made_of_first(v)) return of(0);
  if (n->op == "Clip") return std::max(of(0), of(1));
  if (n->op == "Where") return std::min(of(1), of(2));
  const std::size_t count = n->inputs.size();
  if (n->op == "Concat" || n->op == "Add" || n->op == "Mul") {
    lower_bound least = lower_bound::zero;
    for (std::size_t i = 0; i < count && least != lower_bound::none; ++i) least = std::min(least, of(i));
    return n->op == "Concat" || least == lower_bound::zero ? least : lower_bound::none;
  }
  if (n->op == "Max") {
    lower_bound greatest = lower_bound::none;
    for (std::size_t i = 0; i < count; ++i) greatest = std::max(greatest, of(i));
    return greatest;
  }
  return lower_bound::none;
}

}  // namespace detail

/// What bounds the elements of `v` from below. Looks at a few nodes only.
inline lower_bound lower_bound_of(const value& v) {
  int budget = 32;
  return detail::bound_within(v, budget);
}

namespace detail {

/// The largest absolute value in a constant of at most 64 KiB; infinity for any other, and one with NaN.
inline double largest_in_constant(const value& v) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  constexpr std::size_t longest = std::size_t{1} << 16;
  if (!is_decodable(v.dtype()) || v.data().view().empty() || v.data().size() > longest) return unknown;
  const auto width = static_cast<std::size_t>(bits(v.dtype())) / 8;
  double largest = 0;
  for (std::uint64_t i = 0; i < v.data().size() / width; ++i) {
    const std::uint64_t pattern = element_bits(v.dtype(), v.data().view(), i);
    const double number = is_floating(v.dtype()) ? decode_float(v.dtype(), pattern)
                                                 : static_cast<double>(decode_integer(v.dtype(), pattern));
    if (std::isnan(number)) return unknown;
    largest = std::max(largest, std::abs(number));
  }
  return largest;
}

inline double magnitude_within(const value& v, int& budget) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (!v) return unknown;
  if (const auto number = uniform_number(v)) return std::isnan(*number) ? unknown : std::abs(*number);
  if (v.is_constant()) return largest_in_constant(v);
  const node* n = producer(v);
  if (!n || !n->domain.empty() || --budget < 0) return unknown;
  const auto of = [&](std::size_t i) { return magnitude_within(input_of(v, i), budget); };
  if (n->op == "Neg" || n->op == "Abs" || is_made_of_first(v)) return of(0);
  if (n->op == "Cast") return is_integer(input_of(v, 0).dtype()) ? std::min(of(0), 0x1p64) : of(0);
  if (n->op == "Where") return std::max(of(1), of(2));
  if (n->op == "Add" || n->op == "Sub") return of(0) + of(1);
  if (n->op == "Mul") return of(0) * of(1);
  return unknown;
}

}  // namespace detail

/// An upper bound of |v|; NaN aside. Looks at a few nodes only. Integers may overflow, so that it is good for
/// floating-point values only.
inline double magnitude_of(const value& v) {
  int budget = 32;
  return detail::magnitude_within(v, budget);
}

}  // namespace jax2onnx::rewrite
