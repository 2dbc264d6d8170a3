// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <jax2onnx/ops/shape.hpp>

/// Merges dimensions into one, for lowerings that treat several dimensions as one.
namespace jax2onnx::lower {

/// x with dimensions [first, first + count) merged into one. If count is 0, inserts an extent of 1.
inline value merge_dims(const value& x, std::int64_t first, std::int64_t count) {
  if (count == 1) return x;
  shape merged = x.dims().head(first);
  merged.push_back(x.owner().dims().product(x.dims().tail(first).head(count)));
  merged.append(x.dims().tail(first + count));
  return reshape(x, merged);
}

/// x with the dimensions `axes` first, merged into one, then the other dimensions in order.
inline value merge_axes_first(const value& x, const ints& axes) {
  return merge_dims(transpose(x, joined_axes(axes, complement(x.rank(), axes))), 0, std::ssize(axes));
}

/// x with the dimensions `axes` last, merged into one, after the other dimensions in order.
inline value merge_axes_last(const value& x, const ints& axes) {
  const ints rest = complement(x.rank(), axes);
  return merge_dims(transpose(x, joined_axes(rest, axes)), std::ssize(rest), std::ssize(axes));
}

}  // namespace jax2onnx::lower
