// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <jax2onnx/lower/control/repeat.hpp>
#include <jax2onnx/lower/special/in_double.hpp>

/// Series and continued fractions in a Loop that ends when every element has converged.
namespace jax2onnx::lower {

inline constexpr double epsilon_f64 = std::numeric_limits<double>::epsilon();

/// Returns a scalar: true if the mask holds for any element.
inline value any(const value& mask) {
  return cast(reduce("ReduceSum", cast(mask, dtype::i32), iota_axes(mask.rank())), dtype::boolean);
}
inline value both(const value& a, const value& b) { return logical_and(a, b); }
inline value either(const value& a, const value& b) { return logical_or(a, b); }

}  // namespace jax2onnx::lower
