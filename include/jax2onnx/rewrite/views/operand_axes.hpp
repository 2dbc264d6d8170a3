// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// The use that operators make of the axes of their first operand.
namespace jax2onnx::rewrite {

/// An operator that names axes of operand 0 and leaves the other axes alone. Rules that move views see only the row of
/// such an operator.
struct axes_row {
  bool (*is)(const value& v);
  /// The axes that v's node has in its attribute or operand `axes`, none negative; nullopt if they are not constant.
  std::optional<ints> (*named)(const value& v);
  bool (*removes)(const value& v);  ///< true if the result lacks these axes; null if the result always has them
  /// Copies v's node for the operand x and the axes `axes`; the result has the type `type`.
  value (*on)(const value& v, const value& x, const ints& axes, const tensor_type& type);
};

namespace operand_axes_detail {

inline bool is_of_onnx(const value& v) { return producer(v) && producer(v)->domain.empty(); }

inline bool is_unary(const value& v) { return is_of_onnx(v) && has_trait(v, trait::unary); }
inline std::optional<ints> no_axes(const value&) { return ints(); }
inline value mapped(const value& v, const value& x, const ints&, const tensor_type& type) {
  return with_first_input(v, x, type);
}

inline bool is_slice(const value& v) { return producer(v, "Slice") != nullptr; }
inline value sliced(const value& v, const value& x, const ints& axes, const tensor_type& type) {
  return with_slice_axes(v, x, axes, type);
}

/// True if the node that makes `v` has one or two numbers for each axis in input 1.
inline bool has_numbers(const value& v) { return producer(v, "Tile") || (producer(v, "Pad") && !input_of(v, 3)); }
inline std::optional<ints> numbered_axes(const value& v) {
  return constant_integers(input_of(v, 1)) ? std::optional(iota_axes(v.rank())) : std::nullopt;
}
inline value with_numbers(const value& v, const value& x, const ints& axes, const tensor_type& type) {
  const ints numbers = *constant_integers(input_of(v, 1));
  ints moved(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t first = i / axes.size() * axes.size();
    moved[first + static_cast<std::size_t>(axes[i - first])] = numbers[i];
  }
  std::vector<value> inputs = inputs_of(v);
  inputs[0] = x;
  inputs[1] = int64s(x.owner(), moved);
  return with_inputs(v, inputs, type);
}

/// True if `v` is an output of a Split of at most 16 outputs. Every reader copies the Split at first, so Splits with
/// more outputs stay.
inline bool is_part(const value& v) {
  constexpr std::size_t most_outputs = 16;
  const node* n = producer(v, "Split");
  return n && n->outputs.size() <= most_outputs;
}
inline std::optional<ints> own_axis(const value& v) { return ints{axis_of(v)}; }
/// The attributes of the node that makes `v`, with another axis.
inline std::vector<attribute> attributes_along(const value& v, std::int64_t axis) {
  std::vector<attribute> attributes = producer(v)->attributes;
  std::erase_if(attributes, [](const attribute& a) { return a.name == "axis"; });
  attributes.push_back({"axis", axis});
  return attributes;
}
inline value part(const value& v, const value& x, const ints& axes, const tensor_type& type) {
  const node& n = *producer(v);
  std::vector<tensor_type> types(n.outputs.size(), type);
  const auto along = static_cast<std::size_t>(axes[0]), along_before = static_cast<std::size_t>(axis_of(v));
  for (std::size_t i = 0; i < types.size(); ++i)
    if (n.outputs[i] != value_id::none) types[i].dims[along] = x.owner().at(n.outputs[i]).type.dims[along_before];
  std::vector<value> inputs = inputs_of(v);
  inputs[0] = x;
  const auto index = static_cast<std::size_t>(std::ranges::find(n.outputs, v.id()) - n.outputs.begin());
  return x.owner().emit_many("Split", inputs, types, attributes_along(v, axes[0]))[index];
}

inline bool is_reduction(const value& v) { return is_of_onnx(v) && has_trait(v, trait::reduction); }
inline std::optional<ints> reduced_axes(const value& v) {
  const auto r = reduction_of(v);
  return r ? std::optional(r->axes) : std::nullopt;
}
inline bool drops_axes(const value& v) { return !flag_of(v, "keepdims"); }
inline value reduced(const value& v, const value& x, const ints& axes, const tensor_type&) {
  ints sorted = axes;
  std::ranges::sort(sorted);
  return reduce(producer(v)->op, x, sorted, flag_of(v, "keepdims"));
}

inline bool is_running_sum(const value& v) { return producer(v, "CumSum") != nullptr; }
inline std::optional<ints> summed_axis(const value& v) {
  const std::optional<std::int64_t> axis = constant_integer(input_of(v, 1));
  return axis ? std::optional(ints{from_front(*axis, v.rank())}) : std::nullopt;
}
inline value summed_along(const value& v, const value& x, const ints& axes, const tensor_type& type) {
  return with_inputs(v, {x, scalar(x.owner(), input_of(v, 1).dtype(), axes[0])}, type);
}

inline bool is_softmax(const value& v) { return producer(v, "Softmax") || producer(v, "LogSoftmax"); }
inline value along(const value& v, const value& x, const ints& axes, const tensor_type& type) {
  return x.owner().emit(producer(v)->op, {x}, type, {{"axis", axes[0]}});
}

inline bool is_pick(const value& v) { return producer(v, "Gather") && input_of(v, 1).rank() == 0; }
inline bool always(const value&) { return true; }
inline value picked(const value& v, const value& x, const ints& axes, const tensor_type&) {
  return gather(x, input_of(v, 1), axes[0]);
}

}  // namespace operand_axes_detail

inline constexpr axes_row axes_rows[] = {
    {operand_axes_detail::is_unary, operand_axes_detail::no_axes, nullptr, operand_axes_detail::mapped},
    {operand_axes_detail::is_slice, slice_axes_of, nullptr, operand_axes_detail::sliced},
    {operand_axes_detail::has_numbers, operand_axes_detail::numbered_axes, nullptr, operand_axes_detail::with_numbers},
    {operand_axes_detail::is_part, operand_axes_detail::own_axis, nullptr, operand_axes_detail::part},
    {operand_axes_detail::is_reduction, operand_axes_detail::reduced_axes, operand_axes_detail::drops_axes,
     operand_axes_detail::reduced},
    {operand_axes_detail::is_running_sum, operand_axes_detail::summed_axis, nullptr, operand_axes_detail::summed_along},
    {operand_axes_detail::is_softmax, operand_axes_detail::own_axis, nullptr, operand_axes_detail::along},
    {operand_axes_detail::is_pick, operand_axes_detail::own_axis, operand_axes_detail::always,
     operand_axes_detail::picked},
};

/// The axes of operand 0 that a node names, and whether the result of the node lacks them.
struct named_axes {
  const axes_row* row;
  ints axes;
  bool removed;
};
/// The axes that the node of `v` names; nullopt if the operator has no row, or if the axes are not constant.
inline std::optional<named_axes> named_axes_of(const value& v) {
  if (!producer(v)) return std::nullopt;
  for (const axes_row& row : axes_rows) {
    if (!row.is(v)) continue;
    std::optional<ints> axes = row.named(v);
    if (!axes) return std::nullopt;
    return named_axes{&row, std::move(*axes), row.removes && row.removes(v)};
  }
  return std::nullopt;
}

/// A node, applied to x instead of its operand 0, which is a view of x.
struct node_below {
  named_axes before;
  ints axes;   ///< the axes of x that the node names
  shape dims;  ///< the extents of the result
  ints order;  ///< for each axis of the node's result, the axis of the result on x

  /// The node that makes v, on x.
  value on(const value& v, const value& x) const { return before.row->on(v, x, axes, {v.dtype(), dims}); }
  bool keeps_order() const { return std::is_sorted(order.begin(), order.end()); }
};

/// For every number, the count of numbers that are less.
inline ints ranks_of(const ints& numbers) {
  ints ranks;
  for (const std::int64_t n : numbers) ranks.push_back(std::ranges::count_if(numbers, [n](auto m) { return m < n; }));
  return ranks;
}

/// The node that makes `v`, applied to x instead of a view of x. `origins` has the axis of x for each axis of the view.
/// Absent if the node names an axis that is not an axis of x, or if named_axes_of(v) is nullopt.
inline std::optional<node_below> below_view(const value& v, const value& x, const ints& origins) {
  std::optional<named_axes> named = named_axes_of(v);
  if (!named) return std::nullopt;
  node_below n{std::move(*named), {}, x.dims(), origins};
  for (const std::int64_t axis : n.before.axes) n.axes.push_back(origins[static_cast<std::size_t>(axis)]);
  if (item_loops::any_of(n.axes, [](std::int64_t axis) { return axis < 0; })) return std::nullopt;
  if (n.before.removed) {
    const auto is_removed = [&](std::int64_t axis) { return axis >= 0 && has_axis(n.axes, axis); };
    n.order.erase(std::remove_if(n.order.begin(), n.order.end(), is_removed), n.order.end());
    n.dims.clear();
    for (std::int64_t i = 0; i < x.rank(); ++i)
      if (!is_removed(i)) n.dims.push_back(x.extent(i));
  } else {
    for (std::size_t i = 0; i < n.axes.size(); ++i)
      n.dims[static_cast<std::size_t>(n.axes[i])] = v.extent(n.before.axes[i]);
  }
  n.order = ranks_of(n.order);
  return n;
}

}  // namespace jax2onnx::rewrite
