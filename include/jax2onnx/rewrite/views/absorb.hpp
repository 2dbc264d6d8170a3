// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/views/move.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Operators that absorb a view before or after them.
namespace jax2onnx::rewrite::detail {

/// Replaces a Reshape that adds the axes of a reduction again (`keep`), or removes them, by the reduction's keepdims.
inline outcome reduce_as_reshaped(const context& c, const value& root, bool keep, std::string_view why) {
  value reduced;
  if (!match(root, m_reshape(m_value(reduced)))) return {};
  const auto r = reduction_of(reduced);
  if (!r || r->keep == keep) return {};
  const value x = input_of(reduced, 0);
  if (infer::reduce(x.dims(), r->axes, keep).dims != root.dims()) return {};
  if (!c.single_use(reduced)) return decline(why);
  return reduce(producer(reduced)->op, x, r->axes, keep);
}
inline outcome keep_reduced(const context& c, const value& root) {
  return reduce_as_reshaped(c, root, true, "the reduced value is also read without its axes");
}
inline outcome drop_reduced(const context& c, const value& root) {
  return reduce_as_reshaped(c, root, false, "the reduced value is also read with its axes");
}

/// The axes of a Reshape's operand that correspond to `axes` of its result; absent if they correspond to parts of axes.
inline std::optional<ints> whole_axes_before(const value& reshaped, const ints& axes) {
  const value x = input_of(reshaped, 0);
  const std::optional<axis_layout> layout = layout_after(reshaped, own_layout(x));
  if (!layout) return std::nullopt;
  axis_parts named;
  for (const std::int64_t axis : axes) append(named, (*layout)[static_cast<std::size_t>(axis)]);
  return whole_axes(x, named);
}
/// op(Reshape(x), axes) -> Reshape(op(x, axes')) or op(x, axes'). op keeps the axes if `keeps` is true, or if that
/// makes the Reshape unnecessary.
inline outcome reduce_before_reshape(const context& c, const value& root, bool keeps) {
  const value inner = input_of(root, 0);
  const auto r = reduction_of(root);
  if (!r || !is_reshape(inner)) return {};
  const value x = input_of(inner, 0);
  std::optional<ints> axes = whole_axes_before(inner, r->axes);
  if (!axes || axes->empty()) return {};
  std::ranges::sort(*axes);
  const auto dims = [&](bool keep) { return infer::reduce(x.dims(), *axes, keep).dims; };
  const bool keep = keeps || dims(true) == root.dims();
  if (dims(keep) != root.dims()) {
    if (!c.single_use(inner)) return decline(reshape_view.stays);
    if (!is_static_reshape(dims(keep), root.dims())) return decline(computed_shape);
  }
  return reshape(reduce(producer(root)->op, x, *axes, keep), shape(root.dims()));
}
inline outcome reduce_of_reshaped(const context& c, const value& root) { return reduce_before_reshape(c, root, false); }
inline outcome reduce_of_ones(const context& c, const value& root) {
  const value inner = input_of(root, 0);
  if (!is_reshape(inner) || !moves_only_ones(input_of(inner, 0).dims(), inner.dims())) return {};
  return reduce_before_reshape(c, root, true);
}

/// Joins a reduction with the reduction that it reads.
inline outcome join_reductions(const context& c, const value& root) {
  const value given = input_of(root, 0), inner = is_reshape(given) ? input_of(given, 0) : given;
  if (!producer(inner, producer(root)->op)) return {};
  const auto outer = reduction_of(root), r = reduction_of(inner);
  if (!outer || !r) return {};
  if (is_reshape(given)) {  // the outer reduction is over axes that the Reshape has added
    const auto is_one = [&](std::int64_t axis) { return given.extent(axis).is(1); };
    const bool adds_ones = moves_only_ones(inner.dims(), given.dims()) && item_loops::all_of(outer->axes, is_one);
    return adds_ones && is_static_reshape(inner, root.dims()) ? outcome(reshape(inner, shape(root.dims()))) : outcome();
  }
  if (!c.single_use(inner)) return decline("the inner reduction is read elsewhere too");
  const value x = input_of(inner, 0);
  if (producer(root, "ReduceMean") && !is_static(x.dims())) return decline("the extents are not known");
  ints kept;
  for (std::int64_t axis = 0; axis < x.rank(); ++axis)
    if (r->keep || !has_axis(r->axes, axis)) kept.push_back(axis);
  ints axes = r->axes;
  for (const std::int64_t axis : outer->axes)
    if (const std::int64_t own = kept[static_cast<std::size_t>(axis)]; !has_axis(axes, own)) axes.push_back(own);
  std::ranges::sort(axes);
  return reshape(reduce(producer(root)->op, x, axes, r->keep && outer->keep), shape(root.dims()));
}

/// The operand of a Concat that has exactly the indices [begin, end) along the axis; absent if there is none. `places`
/// has the index at which each operand ends.
inline value operand_between(const value& concat, const ints& places, std::int64_t begin, std::int64_t end) {
  const auto found = std::ranges::lower_bound(places, end);
  if (found == places.end() || *found != end || (found == places.begin() ? 0 : *(found - 1)) != begin) return {};
  return input_of(concat, static_cast<std::size_t>(found - places.begin()));
}

/// Replaces a Slice of a Concat by the operand that the Slice takes. Cells of recurrent networks concatenate kernels
/// and slice the products.
inline outcome slice_of_concat(const context& c, const value& root) {
  const value x = input_of(root, 0);
  const ints* places = c.uses.ends_of_operands(x);
  if (!places && !producer(x, "Concat")) return {};
  const auto taken = single_slice_of(root);
  if (!taken || taken->axis != axis_of(x) || taken->step != 1 || !taken->count.is_constant()) return {};
  const std::int64_t wanted = taken->first + taken->count.extent();
  if (places) return operand_between(x, *places, taken->first, wanted);
  std::int64_t begin = 0;
  for (const value& part : inputs_of(x)) {
    const dim extent = part.extent(taken->axis);
    if (!extent.is_constant() || begin > taken->first) return {};
    const std::int64_t end = begin + extent.extent();
    if (begin == taken->first && end == wanted) return part;
    begin = end;
  }
  return {};
}

/// Slice(Slice(x, i : j, axis), k : l, axis) -> Slice(x, i + k : i + l, axis)
inline outcome slice_of_slice(const context&, const value& root) {
  const value inner = input_of(root, 0);
  if (!producer(inner, "Slice")) return {};
  const auto taken = single_slice_of(root), before = single_slice_of(inner);
  if (!taken || !before || taken->axis != before->axis || taken->step != 1 || before->step != 1) return {};
  if (!taken->count.is_constant()) return {};
  const std::int64_t first = before->first + taken->first;
  return slice(input_of(inner, 0), taken->axis, first, first + taken->count.extent());
}

inline outcome pick_slice(const context& c, const value& root) {
  value sliced;
  if (!match(root, m_reshape(m_value(sliced)))) return {};
  const auto taken = single_slice_of(sliced);
  const value x = taken ? input_of(sliced, 0) : value();
  if (!taken || !taken->count.is(1) || infer::reduce(x.dims(), ints{taken->axis}, false).dims != root.dims()) return {};
  if (!c.single_use(sliced)) return decline("the slice is also read with its axis");
  return pick(x, taken->first, taken->axis);
}

/// The permutation of `rank` axes that exchanges the last two.
inline ints swap_last(std::int64_t rank) {
  ints perm = iota_axes(rank);
  if (rank >= 2) std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return perm;
}

/// v with its last two axes exchanged, as Transpose(base, perm). If v is a Transpose itself, `base` is its operand.
struct last_axes_swapped {
  value base;
  ints perm;
  bool is_free() const { return std::is_sorted(perm.begin(), perm.end()); }
  explicit last_axes_swapped(const value& v) : base(v), perm(swap_last(v.rank())) {
    ints inner;
    value x;
    if (!match(v, m_transpose(inner, m_value(x)))) return;
    base = x;
    perm = joined_permutation(inner, perm);
  }
};

/// True if v is a Transpose without other readers. Also true if v is a Reshape of such a Transpose, and the Reshape has
/// no other readers and only moves extents of 1.
inline bool frees_transpose(const context& c, value v) {
  if (is_reshape(v) && c.single_use(v) && moves_only_ones(input_of(v, 0).dims(), v.dims())) v = input_of(v, 0);
  return producer(v, "Transpose") && c.single_use(v);
}

inline outcome swap_matmul(const context& c, const value& root) {
  value product = root, a, b;
  ints perm = iota_axes(root.rank());
  const bool transposed = match(root, m_transpose(perm, m_value(product)));
  if (!match(product, m_op("MatMul", m_value(a), m_value(b))) || a.rank() != b.rank() || a.rank() < 2) return {};
  const int before_count = int(transposed) + int(frees_transpose(c, a)) + int(frees_transpose(c, b));
  if (before_count == 0) return {};
  const last_axes_swapped left(b), right(a);
  const ints after = joined_permutation(swap_last(root.rank()), perm);
  const bool sorted = std::is_sorted(after.begin(), after.end());
  const int after_count = int(!sorted) + int(!left.is_free()) + int(!right.is_free());
  if (after_count >= before_count) return {};
  if (transposed && !c.single_use(product)) return decline("the product is also read untransposed");
  const value swapped = matmul(transpose(left.base, left.perm), transpose(right.base, right.perm));
  return transpose(swapped, after);
}

}  // namespace jax2onnx::rewrite::detail
