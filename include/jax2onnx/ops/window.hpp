// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Verbs for padding between elements, and for sliding windows as dimensions.
namespace jax2onnx::ops {

/// x with `before[d]` copies of `fill` before every element along d, and `after[d]` copies after it.
inline value dilate(const value& x, const ints& before, const ints& after, const value& fill) {
  graph& g = x.owner();
  shape split, low, high, merged;
  for (std::size_t d = 0; d < before.size(); ++d) {
    const std::int64_t copies = detail::checked_add(before[d], after[d]);
    split.push_back(x.dims()[d]);
    low.push_back(0);
    high.push_back(0);
    merged.push_back(g.dims().mul(x.dims()[d], detail::checked_add(copies, 1)));
    if (copies == 0) continue;
    split.push_back(1);
    low.push_back(before[d]);
    high.push_back(after[d]);
  }
  return reshape(pad(reshape(x, split), low, high, fill), merged);
}

/// lax.pad: `low` and `high` copies of `fill` before and after every axis (negative amounts crop), after inserting
/// `interior` copies between neighbours. As many of these as `low` allows go before each element, the remaining ones
/// after it.
inline value pad_between(value x, shape low, shape high, ints interior, const value& fill) {
  graph& g = x.owner();
  ints before(interior.size(), 0);
  for (std::size_t d = 0; d < interior.size(); ++d) {
    if (x.dims()[d].is(0) || x.dims()[d].is(1)) interior[d] = 0;
    if (low[d].is_constant()) before[d] = std::clamp<std::int64_t>(low[d].extent(), 0, interior[d]);
    interior[d] -= before[d];
    low[d] = g.dims().sub(low[d], before[d]);
    high[d] = g.dims().sub(high[d], interior[d]);  // the copies that `dilate` adds after the last element
  }
  if (!item_loops::all_equal(interior, 0) || !item_loops::all_equal(before, 0)) x = dilate(x, before, interior, fill);
  return pad(x, low, high, fill);
}

/// Sliding windows along one axis: element k of window i is at i * stride + k * dilation; `count` windows fit.
struct window_axis {
  std::int64_t axis = 0;      ///< the axis of the operand
  std::int64_t size = 1;      ///< the number of elements of a window
  std::int64_t stride = 1;    ///< the step from one window to the next
  std::int64_t dilation = 1;  ///< the step from one element of a window to the next
  dim count;                  ///< the number of windows
  /// The extent that a window covers.
  dim reach() const { return detail::checked_add(detail::checked_mul(detail::checked_sub(size, 1), dilation), 1); }
};

/// The number of windows along an axis of extent n.
inline dim window_count(graph& g, dim n, const window_axis& w) {
  const dim last = g.dims().floordiv(g.dims().sub(n, w.reach()), w.stride);
  return last.is_constant() ? dim(std::max<std::int64_t>(last.extent() + 1, 0)) : g.dims().add(last, 1);
}

/// The int64 positions of the windows' elements: [count, size].
inline value window_positions(graph& g, const window_axis& w) {
  constexpr std::int64_t small = 64;
  if (w.count.is(0)) return array(g, dtype::i64, {0, w.size}, std::span<const std::int64_t>());  // w.size may be huge
  if (w.count.is_constant() && w.size <= small && w.count.extent() <= small && w.count.extent() * w.size <= small) {
    ints all;
    for (std::int64_t i = 0; i < w.count.extent(); ++i)
      for (std::int64_t k = 0; k < w.size; ++k)
        all.push_back(detail::checked_add(detail::checked_mul(i, w.stride), detail::checked_mul(k, w.dilation)));
    return array(g, dtype::i64, {w.count.extent(), w.size}, std::span<const std::int64_t>(all));
  }
  return add(reshape(range(g, w.count, w.stride), {w.count, 1}), range_table(g, w.size, w.dilation));
}

/// x with the axis replaced by two axes: the windows, and the elements of each window.
inline value windows(const value& x, const window_axis& w) { return gather(x, window_positions(x.owner(), w), w.axis); }

}  // namespace jax2onnx::ops
