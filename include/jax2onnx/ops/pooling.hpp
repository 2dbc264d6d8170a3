// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/operators/opset.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Pooling over the last dimensions of x[n, c, spatial...] of a floating-point type.
namespace jax2onnx::ops {

/// The windows of a pooling operator, an entry for every spatial dimension.
struct pool_windows {
  ints sizes;      ///< the number of elements in a window
  ints strides;    ///< the distance from one window to the next
  ints dilations;  ///< the distance from one element of a window to the next
  ints pads;       ///< the padding before every dimension, then after every dimension
};

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// The attributes of a pooling node. Strides of 1 are written as well: some runtimes do not know the default.
inline std::vector<attribute> pool_attributes(const ops::pool_windows& w) {
  std::vector<attribute> attributes{{"kernel_shape", w.sizes}, {"strides", w.strides}};
  if (!item_loops::all_equal(w.dilations, 1)) attributes.push_back({"dilations", w.dilations});
  if (!item_loops::all_equal(w.pads, 0)) attributes.push_back({"pads", w.pads});
  return attributes;
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// The largest element of every window (MaxPool); padding does not count. `out` is the shape of the result.
inline value max_pool(const value& x, const pool_windows& w, const shape& out) {
  return x.owner().emit("MaxPool", {x}, {x.dtype(), out}, detail::pool_attributes(w));
}

/// Returns whether average_pool supports dilations other than 1 (opset 19).
inline bool average_pool_dilates(const graph& g) { return detail::has(g, detail::feature::dilated_average_pool); }

/// The mean of every window (AveragePool); padding counts as zeros. `out` is the shape of the result. Throws an
/// opset_error for dilations before opset 19.
inline value average_pool(const value& x, const pool_windows& w, const shape& out) {
  if (!item_loops::all_equal(w.dilations, 1))
    detail::require(x.owner(), detail::feature::dilated_average_pool, "AveragePool with dilations");
  std::vector<attribute> attributes = detail::pool_attributes(w);
  if (!item_loops::all_equal(w.pads, 0)) attributes.push_back({"count_include_pad", std::int64_t{1}});
  return x.owner().emit("AveragePool", {x}, {x.dtype(), out}, std::move(attributes));
}

}  // namespace jax2onnx::ops
