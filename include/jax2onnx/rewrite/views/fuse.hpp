// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/views/move.hpp>
#include <jax2onnx/rewrite/views/operand_axes.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Combines views of views: two become one or none, and Transposes move before a Reshape.
namespace jax2onnx::rewrite::detail {

/// The axes of x in the order of the parts, if the parts form whole axes; axes of extent 1 stay where they are. Absent
/// if the parts do not form whole axes.
inline std::optional<ints> order_of_axes(const value& x, const axis_parts& parts) {
  std::optional<ints> order = whole_axes(x, parts);
  for (std::int64_t axis = 0; order && axis < x.rank(); ++axis)
    if (x.extent(axis).is(1)) order->insert(order->begin() + std::min<std::ptrdiff_t>(axis, std::ssize(*order)), axis);
  return order;
}

/// The order of the axes of x in Transpose(Reshape(x)), if the Transpose moves whole axes of x; else absent.
inline std::optional<ints> order_before_reshape(const value& transposed) {
  const value inner = input_of(transposed, 0), x = input_of(inner, 0);
  const std::optional<axis_layout> before = layout_after(inner, own_layout(x));
  if (!before) return std::nullopt;
  axis_parts moved;
  const ints perm = *transpose_of(transposed);
  for (const std::int64_t axis : perm) append(moved, (*before)[static_cast<std::size_t>(axis)]);
  return order_of_axes(x, moved);
}

/// Transpose(Reshape(x), p) -> Reshape(Transpose(x, p')) if p moves whole axes of x.
inline outcome transpose_before_reshape(const context& c, const value& root) {
  const value inner = input_of(root, 0), x = input_of(inner, 0);
  if (!is_static_reshape(x, root.dims())) return decline(computed_shape);
  const std::optional<ints> order = order_before_reshape(root);
  if (!order) return {};
  if (!c.single_use(inner) && !std::is_sorted(order->begin(), order->end())) return decline(reshape_view.stays);
  return reshape(transpose(x, *order), root.dims());
}
inline outcome transpose_before_ones(const context& c, const value& root) {
  const value inner = input_of(root, 0);
  if (!is_reshape(inner) || !moves_only_ones(input_of(inner, 0).dims(), inner.dims())) return {};
  return transpose_before_reshape(c, root);
}
/// Transpose(Reshape(Transpose(x))): the Transposes become one if the outer one can move before the Reshape.
inline outcome join_across_reshape(const context& c, const value& root) {
  const value inner = input_of(root, 0);
  if (!is_reshape(inner) || !transpose_view.is(input_of(inner, 0))) return {};
  if (!c.single_use(input_of(inner, 0))) return decline(transpose_view.stays);
  return transpose_before_reshape(c, root);
}

/// Transpose(Reshape(x), p) with the extents `dims`. Except for ones, these are the extents of `transposed`, which is
/// Transpose(y, q), y = Reshape(x).
inline value with_ones_before(const value& transposed, const shape& dims) {
  struct place {
    std::int64_t axis;  ///< an axis of y; for an extent of 1, the axis of the place before
    std::size_t in_result;
  };
  const ints perm = *transpose_of(transposed);
  std::vector<place> places;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t from = axis_before_ones(transposed.dims(), dims, static_cast<std::int64_t>(i));
    const std::int64_t last = places.empty() ? 0 : places.back().axis;
    places.push_back({from < 0 ? last : perm[static_cast<std::size_t>(from)], i});
  }
  std::ranges::stable_sort(places, std::less<>(), &place::axis);
  shape split;
  ints order(dims.size());
  for (const place& p : places) {
    order[p.in_result] = std::ssize(split);
    split.push_back(dims[p.in_result]);
  }
  return transpose(reshape(input_of(input_of(transposed, 0), 0), split), order);
}

/// Reshape(Transpose(Reshape(x))): leaves out one of the Reshapes, if it is not needed.
inline outcome join_around_transpose(const context& c, const value& root) {
  const value moved = input_of(root, 0);
  if (!transpose_view.is(moved) || !is_reshape(input_of(moved, 0))) return {};
  const value inner = input_of(moved, 0);
  const std::optional<ints> order = order_before_reshape(moved);
  if (!order && !moves_only_ones(moved.dims(), root.dims())) return {};
  if (!c.single_use(moved)) return decline(transpose_view.stays);
  if (!order && !c.single_use(inner)) return decline(reshape_view.stays);
  const value x = input_of(inner, 0);
  if (!is_static(x.dims()) || !is_static(root.dims())) return decline(computed_shape);
  return order ? reshape(transpose(x, *order), root.dims()) : with_ones_before(moved, root.dims());
}

/// Moves a Transpose of last axes before a Reshape that keeps these axes.
inline outcome transpose_of_merged(const context& c, const value& root) {
  const ints perm = *transpose_of(root);
  std::size_t fixed = 0;
  while (fixed < perm.size() && perm[fixed] == static_cast<std::int64_t>(fixed)) ++fixed;
  const bool merges = fixed > 0 && fixed < perm.size() && keeps_last(input_of(root, 0), perm.size() - fixed);
  if (!merges) return {};
  return c.single_use(input_of(root, 0)) ? transpose_before_reshape(c, root) : decline(reshape_view.stays);
}

/// Reshape(Transpose(Reshape(x))): x with the parts of each axis in another order. Absent if an order is not known, or
/// the Reshapes need extents that are computed.
inline value reordered_within_axes(const value& x, const axis_layout& layout) {
  shape split;
  ints order;
  for (std::size_t axis = 0; axis < layout.size(); ++axis) {
    const axis_parts& parts = layout[axis];
    if (parts.size() < 2) {
      order.push_back(std::ssize(split));
      split.push_back(x.dims()[axis]);
      continue;
    }
    axis_parts before = parts;
    const auto is_constant = [](const axis_part& p) { return p.step.is_constant(); };
    if (!item_loops::all_of(parts, is_constant)) return {};
    std::ranges::sort(before, std::greater<>(), [](const axis_part& p) { return p.step.extent(); });
    for (const axis_part& p : parts)
      order.push_back(std::ssize(split) + (std::ranges::find(before, p) - before.begin()));
    for (const axis_part& p : before) split.push_back(p.extent);
  }
  if (!is_static_reshape(x, split)) return {};
  const value moved = transpose(reshape(x, split), order);
  return is_static_reshape(moved, x.dims()) ? reshape(moved, x.dims()) : value();
}

/// Moves a Transpose after views that only reorder elements within an axis, such as a shuffle of channels.
inline outcome sink_through_views(const context& c, const value& root) {
  ints outer, perm;
  value x, split;
  const value joined = input_of(root, 0);
  if (!match(joined, m_transpose(outer, m_value(split))) || !is_reshape(split)) return {};
  const value moved = input_of(split, 0);
  if (!match(moved, m_transpose(perm, m_value(x))) || root.dims() != moved.dims()) return {};
  if (!c.single_use(joined) || !c.single_use(split) || !c.single_use(moved)) return decline(transpose_view.stays);
  std::optional<axis_layout> layout = own_layout(x);
  for (const value& step : {moved, split, joined, root}) {
    layout = layout_after(step, *layout);
    if (!layout) return {};
  }
  axis_layout before(layout->size());
  for (std::size_t i = 0; i < layout->size(); ++i) {
    const auto is_of_another = [&](const axis_part& p) { return p.axis != perm[i]; };
    if (item_loops::any_of((*layout)[i], is_of_another)) return {};
    before[static_cast<std::size_t>(perm[i])] = std::move((*layout)[i]);
  }
  const value within = reordered_within_axes(x, before);
  return within ? outcome(transpose(within, perm)) : decline("the shape would be computed at run time");
}

/// Transpose(op(Transpose(x, p), axes), q) -> op(x, p[axes]) if q is the inverse of p, even if the transposed values
/// have other readers: the readers of the root need no Transpose.
inline outcome join_around_axes(const context&, const value& root) {
  ints outer, perm;
  value x, v;
  if (!match(root, m_transpose(outer, m_value(v))) || !has_trait(v, trait::moves)) return {};
  if (!match(input_of(v, 0), m_transpose(perm, m_value(x)))) return {};
  if (std::ssize(outer) != std::ssize(perm) || joined_permutation(perm, outer) != iota_axes(root.rank())) return {};
  const std::optional<node_below> n = below_view(v, x, perm);
  return n ? outcome(n->on(v, x)) : outcome();
}

/// The axes along which a Slice reverses its operand, in ascending order; empty for any other value.
inline ints reversed_axes(const value& v) {
  const auto axes = slice_axes_of(v), steps = slice_steps_of(v);
  if (!axes || !steps || input_of(v, 0).dims() != v.dims()) return {};
  if (!item_loops::all_of(*steps, [](std::int64_t step) { return step == -1; })) return {};
  ints sorted = *axes;
  std::ranges::sort(sorted);
  return sorted;
}

inline outcome drop_double_reverse(const context&, const value& root) {
  const ints outer = reversed_axes(root);
  if (outer.empty()) return {};
  value between = input_of(root, 0), x;
  ints perm = iota_axes(root.rank());
  if (match(between, m_transpose(perm, m_value(x)))) between = x;
  ints before = joined_permutation(perm, outer);
  std::ranges::sort(before);
  return reversed_axes(between) == before ? outcome(transpose(input_of(between, 0), perm)) : outcome();
}

}  // namespace jax2onnx::rewrite::detail
