// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/lower/linear/types.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers ragged_dot_general, the products of consecutive groups of rows, to one MatMul, over masked operands unless
/// the ragged dimension is a batch dimension. Source: jax.lax.ragged_dot_general.
namespace jax2onnx::lower {

/// The dimension numbers.
struct ragged_form {
  dot_axes axes;
  std::int64_t ragged;  ///< the dimension of lhs that is divided into groups
  ints group;           ///< the dimension of rhs with a matrix for each group, if any

  explicit ragged_form(const ragged_numbers& d) : axes(d.dot), ragged(d.ragged[0]), group(d.group) {}
};

/// A mask of the elements of the ragged dimension that are in a group: bool [batch..., groups, n].
inline value group_mask(const value& sizes, dim n) {
  graph& g = sizes.owner();
  const std::int64_t axis = sizes.rank() - 1;
  const value wide = cast(sizes, dtype::i64);
  const value ends = g.emit("CumSum", {wide, scalar(g, dtype::i64, axis)}, wide.type());
  const value place = range(g, n);
  const value after_start = greater_equal(place, unsqueeze(sub(ends, wide), {axis + 1}));
  return logical_and(after_start, less(place, unsqueeze(ends, {axis + 1})));
}

/// The dimension that split_into_groups adds. This dimension comes just after the ragged dimension, so that the
/// features stay innermost.
inline std::int64_t groups_axis(std::int64_t ragged) { return ragged + 1; }

/// Dimensions of an operand, renumbered for the result of split_into_groups.
inline ints split_axes(std::int64_t ragged, ints axes) {
  for (std::int64_t& axis : axes) axis += axis >= groups_axis(ragged) ? 1 : 0;
  return axes;
}

/// x with a dimension of groups after the dimension `ragged`. An element is zero in all groups except its own group, if
/// any.
inline value split_into_groups(const site& s, const value& x, std::int64_t ragged, const ints& batch_axes) {
  const value sizes = s.in(2);
  const std::int64_t batch = sizes.rank() - 1, rank = x.rank();
  if (batch != 0 && batch != std::ssize(batch_axes))
    s.unsupported("the leading dimensions of its group sizes are not its batch dimensions");
  const value mask = group_mask(sizes, x.extent(ragged));
  // Maps [batch..., groups, n] to the dimensions of the result.
  ints labels = batch > 0 ? split_axes(ragged, batch_axes) : ints{}, order;
  labels.push_back(groups_axis(ragged));
  labels.push_back(ragged);
  for (std::int64_t label = 0; label <= rank; ++label)
    if (const auto at = axis_position(labels, label)) order.push_back(static_cast<std::int64_t>(*at));
  const ints absent = complement(rank + 1, labels);
  const value placed = unsqueeze(transpose(mask, order), absent);
  return where(placed, unsqueeze(x, {groups_axis(ragged)}), scalar(s.g, x.dtype(), 0));
}

/// The product whose contracted dimension is in groups: one product for each group, along a leading dimension. Both
/// operands are split, so that a NaN of one operand does not meet the zeros of the other.
inline value product_of_groups(const site& s, const value& lhs, const value& rhs, const ragged_form& f) {
  dot_axes d = f.axes;
  const std::int64_t behind = d.rhs_contract[*axis_position(d.lhs_contract, f.ragged)];
  const value a = split_into_groups(s, lhs, f.ragged, d.lhs_batch);
  const value b = split_into_groups(s, rhs, behind, d.rhs_batch);
  d.lhs_batch = joined_axes(ints{groups_axis(f.ragged)}, split_axes(f.ragged, d.lhs_batch));
  d.rhs_batch = joined_axes(ints{groups_axis(behind)}, split_axes(behind, d.rhs_batch));
  d.lhs_contract = split_axes(f.ragged, d.lhs_contract);
  d.rhs_contract = split_axes(behind, d.rhs_contract);
  return dot(a, b, d);
}

/// The product of real arrays of one dtype.
inline value ragged_dot(const site& s, const value& lhs, const value& rhs, const ragged_form& f) {
  dot_axes d = f.axes;
  if (has_axis(d.lhs_batch, f.ragged)) return dot(lhs, rhs, d);
  if (has_axis(d.lhs_contract, f.ragged)) return product_of_groups(s, lhs, rhs, f);
  const value grouped = split_into_groups(s, lhs, f.ragged, d.lhs_batch);
  d.lhs_batch = split_axes(f.ragged, d.lhs_batch);
  d.lhs_contract = split_axes(f.ragged, d.lhs_contract);
  // The rows are in groups. Contracting the groups as well multiplies each row by the matrix of its group.
  const auto behind = std::ranges::upper_bound(d.lhs_contract, groups_axis(f.ragged)) - d.lhs_contract.begin();
  d.lhs_contract.insert(d.lhs_contract.begin() + behind, groups_axis(f.ragged));
  d.rhs_contract.insert(d.rhs_contract.begin() + behind, f.group[0]);
  return dot(grouped, rhs, d);
}

inline jax_values ragged_dot_general(const site& s) {
  const ragged_form f{ragged_numbers(s)};
  return bilinear(s, [&](const value& a, const value& b) { return ragged_dot(s, a, b, f); });
}

inline constexpr lowering ragged_dot_rows[] = {
    {"ragged_dot_general", ragged_dot_general, "CumSum, Where, MatMul", ragged_dot_signature, parts_rule::own,
     ignores{"group_offset=None out_sharding precision preferred_element_type"}},
};

}  // namespace jax2onnx::lower
