// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/constant_folding.hpp>
#include <jax2onnx/ops/extents.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

/// Verbs that join arrays and cut pieces out of them: concat, slice, reverse, crop, pad.
namespace jax2onnx::ops {

/// The operands joined along `axis` (Concat). Throws a build_error if dtypes, ranks or other extents differ.
inline value concat(std::span<const value> parts, std::int64_t axis) {
  if (parts.empty()) throw build_error("Concat needs an operand");
  if (parts.size() == 1) return parts[0];
  graph& g = parts[0].owner();
  shape out = parts[0].dims();
  for (const value& p : parts.subspan(1)) {
    detail::require_same_dtype("Concat", parts[0], p);
    out = detail::checked("Concat", infer::concat(g.dims(), out, p.dims(), axis), {parts[0], p});
  }
  std::vector<value> kept;  // empty operands are skipped
  for (const value& p : parts)
    if (!p.extent(axis).is(0)) kept.push_back(p);
  if (kept.size() == 1) return kept[0];
  if (kept.empty()) kept.assign(parts.begin(), parts.end());
  if (const auto folded = detail::folded_concat(kept, axis, out)) return *folded;
  return g.emit("Concat", kept, {parts[0].dtype(), out}, {{"axis", axis}});
}
/// Joins a list of operands in braces.
inline value concat(std::initializer_list<value> parts, std::int64_t axis) {
  return concat(std::span<const value>(parts.begin(), parts.size()), axis);
}

/// x[start : limit : stride] along every axis of `axes`; 0 <= start <= limit <= extent, stride >= 1 (Slice). Throws a
/// build_error for bounds known to be out of range.
inline value slice(const value& x, const ints& axes, const shape& starts, const shape& limits, const ints& strides) {
  graph& g = x.owner();
  const shape out = detail::checked("Slice", infer::slice(g.dims(), x.dims(), axes, starts, limits, strides), {x});
  shape used_starts, used_limits;
  ints used_axes, used_strides;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const dim extent = x.extent(axes[i]);
    if (starts[i].is(0) && limits[i] == extent && strides[i] == 1) continue;
    used_axes.push_back(axes[i]);
    used_starts.push_back(starts[i]);
    const bool to_end = limits[i] == extent && !(extent.is_constant() && extent.extent() > INT32_MAX);
    used_limits.push_back(to_end ? dim(INT32_MAX) : limits[i]);
    used_strides.push_back(strides[i]);
  }
  if (used_axes.empty()) return x;
  if (const auto folded = detail::folded_slice(x, axes, starts, strides, out)) return *folded;
  const bool strided = !item_loops::all_equal(used_strides, 1);
  std::vector<value> operands{x, shape_value(g, used_starts), shape_value(g, used_limits), int64s(g, used_axes)};
  if (strided) operands.push_back(int64s(g, used_strides));
  return g.emit("Slice", std::span<const value>(operands), {x.dtype(), out});
}
/// x[start : limit] along one axis.
inline value slice(const value& x, std::int64_t axis, dim start, dim limit) {
  return slice(x, {axis}, {start}, {limit}, {1});
}

/// x with the order of elements along the `given` axes reversed.
inline value reverse(const value& x, const ints& given) {
  ints axes;  // the given axes whose extent is not 1
  for (std::int64_t axis : given) {
    if (axis < 0 || axis >= x.rank())
      throw build_error(detail::message("reverse: the axis {} is out of range for {}", axis, text(x)));
    if (!x.extent(axis).is(1)) axes.push_back(axis);
  }
  if (axes.empty()) return x;
  graph& g = x.owner();
  const ints minus_one(axes.size(), -1), lowest(axes.size(), INT64_MIN);
  return g.emit("Slice", {x, int64s(g, minus_one), int64s(g, lowest), int64s(g, axes), int64s(g, minus_one)}, x.type());
}

/// x without the first low[d] and the last high[d] elements along every axis d.
inline value crop(const value& x, const shape& low, const shape& high) {
  shape limits = x.dims();
  for (std::size_t d = 0; d < limits.size(); ++d) limits[d] = x.owner().dims().sub(limits[d], high[d]);
  return slice(x, iota_axes(x.rank()), low, limits, ints(limits.size(), 1));
}

/// x with `low` and `high` copies of the scalar `fill` before and after every axis; negative amounts crop.
inline value pad(const value& x, const shape& low, const shape& high, const value& fill) {
  graph& g = x.owner();
  detail::checked("Pad", infer::pad(g.dims(), x.dims(), low, high), {x});
  shape crop_low(low.size(), dim(0)), crop_high = crop_low, amounts = low;
  amounts.insert(amounts.end(), high.begin(), high.end());
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const dim minus = g.dims().sub(0, amounts[i]);
    if (amounts[i].is(0) || !g.dims().known_nonnegative(minus)) continue;
    (i < low.size() ? crop_low[i] : crop_high[i - low.size()]) = minus;
    amounts[i] = 0;
  }
  value padded = x;
  if (!item_loops::all_equal(amounts, dim(0))) {
    shape grown = x.dims();
    for (std::size_t d = 0; d < grown.size(); ++d)
      grown[d] = g.dims().add(grown[d], g.dims().add(amounts[d], amounts[d + low.size()]));
    padded = g.emit("Pad", {x, shape_value(g, amounts), fill}, {x.dtype(), grown}, {{"mode", std::string("constant")}});
  }
  return crop(padded, crop_low, crop_high);
}

}  // namespace jax2onnx::ops
