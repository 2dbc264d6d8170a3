// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/math.hpp>

/// Special functions that are computed in double for all operand types.
namespace jax2onnx::lower {

inline constexpr double nan_f64 = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity_f64 = std::numeric_limits<double>::infinity();

/// Operand i in double, broadcast to the extents of the result.
inline value double_operand(const site& s, std::size_t i) {
  return broadcast_to(cast(s.in(i), dtype::f64), s.out_dims());
}

/// Applies F in double to one operand, or to two operands.
template <value (*F)(const value&)>
jax_values double1(const site& s) {
  return {cast(F(cast(s.in(0), dtype::f64)), s.out_dtype())};
}
template <value (*F)(const value&, const value&)>
jax_values double2(const site& s) {
  return {cast(F(double_operand(s, 0), double_operand(s, 1)), s.out_dtype())};
}

/// x + first, x + first + 1, … x + first + count - 1 along a new last axis.
inline value shifted(const value& x, int first, int count) {
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(first + i);
  return add(unsqueeze(x, {x.rank()}), array(x.owner(), x.dtype(), {count}, std::span<const std::int64_t>(numbers)));
}
inline value sum_last(const value& x) { return reduce("ReduceSum", x, {x.rank() - 1}); }

}  // namespace jax2onnx::lower
