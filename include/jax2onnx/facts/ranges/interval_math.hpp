// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include <jax2onnx/graph/dim_table.hpp>
#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/graph/interval.hpp>
#include <jax2onnx/graph/scalar.hpp>

namespace jax2onnx {

namespace detail {

/// n as the end of an interval; unbounded if a dim cannot hold it.
constexpr dim as_bound(std::int64_t n) { return n >= -dim::limit && n < dim::limit ? dim(n) : dim::dyn(); }

}  // namespace detail

/// All values of an integer type or bool. Unbounded for any other type, and at each end that does not fit into a dim.
constexpr interval values_of(dtype t) {
  if (!is_integer(t) && !is_boolean(t)) return {};
  const dim low = detail::as_bound(is_signed_integer(t) ? smallest_integer(t) : 0);
  return {low, bits(t) == 64 ? dim::dyn() : dim(static_cast<std::int64_t>(largest_integer(t)))};
}

/// Arithmetic on intervals. A comparison is true if it holds for all sizes of the symbolic extents; false may mean
/// unknown. Expressions that grow beyond a few terms become unknown, so that every operation takes constant time.
class interval_math {
 public:
  /// Uses and extends the expressions of `dims`.
  explicit interval_math(dim_table& dims) : dims_(dims) {}

  /// True if both bounds are known, and a <= b.
  bool at_most(dim a, dim b) const;
  /// True if no integer is in both a and b.
  bool disjoint(const interval& a, const interval& b) const { return below(a, b) || below(b, a); }
  /// True if every integer of a is less than every integer of b.
  bool below(const interval& a, const interval& b) const { return at_most(plus(a.high, 1), b.low); }
  /// True if every integer of a is in b.
  bool inside(const interval& a, const interval& b) const {
    return (b.low.is_dyn() || at_most(b.low, a.low)) && (b.high.is_dyn() || at_most(a.high, b.high));
  }

  /// The integers of a or b, and all integers between them.
  interval hull(const interval& a, const interval& b) const { return {lesser(a.low, b.low), greater(a.high, b.high)}; }
  /// The integers of both a and b; nullopt if there are none.
  std::optional<interval> intersection(const interval& a, const interval& b) const;

  /// The results of arithmetic in a type. Overflow wraps: if it may happen, the results are all values of the type.
  /// Symbolic ends are extents of arrays, and fit into types of 32 bits and more.
  /// @{
  interval add(const interval& a, const interval& b, dtype t) const;
  interval sub(const interval& a, const interval& b, dtype t) const;
  interval mul(const interval& a, const interval& b, dtype t) const;
  /// @}
  /// `r`, if all of its integers are values of the type; otherwise all values of the type.
  interval wrapped(const interval& r, dtype t) const;

  /// The smaller of two bounds, and the larger one; unbounded if their order is not known.
  /// @{
  dim lesser(dim a, dim b) const { return at_most(a, b) ? a : at_most(b, a) ? b : dim::dyn(); }
  dim greater(dim a, dim b) const { return at_most(a, b) ? b : at_most(b, a) ? a : dim::dyn(); }
  /// @}
  /// The tighter of two lower bounds, and the tighter of two upper bounds, of the same integer.
  /// @{
  dim better_low(dim a, dim b) const { return a.is_dyn() || at_most(a, b) ? b : a; }
  dim better_high(dim a, dim b) const { return a.is_dyn() || at_most(b, a) ? b : a; }
  /// @}
  /// a + b, a - b and a b. Unbounded if a or b is unbounded or a long expression, or if a dim cannot hold the result. A
  /// product with 0 is always 0.
  /// @{
  dim plus(dim a, dim b) const;
  dim minus(dim a, dim b) const;
  dim times(dim a, dim b) const;
  /// @}

 private:
  bool is_simple(dim d) const;
  bool are_simple(dim a, dim b) const { return is_simple(a) && is_simple(b); }

  dim_table& dims_;
};

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/facts/ranges/interval_math.inl.hpp>
#endif
