// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/graph/dim.hpp>

namespace jax2onnx {

/// The integers from `low` to `high`, which may be symbolic extents; an unknown end is unbounded.
struct interval {
  dim low = dim::dyn();   ///< the smallest integer
  dim high = dim::dyn();  ///< the largest integer
  friend bool operator==(const interval&, const interval&) = default;
};

/// The interval of one integer.
constexpr interval only(dim d) { return {d, d}; }

}  // namespace jax2onnx
