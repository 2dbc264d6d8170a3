// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>

/// Signatures of gather, scatter, dynamic slices, sorts and searches. Source: jax._src.lax.slicing, _gather_shape_rule
/// and _scatter_shape_rule.
namespace jax2onnx::lower {

/// A list in the parameter dimension_numbers, which is a GatherDimensionNumbers or ScatterDimensionNumbers; empty if
/// the list is missing.
inline ints dimension_list(const site& s, std::string_view key) {
  return s.argument_or<ints>(s.tree("dimension_numbers"), key, {});
}

/// The axes in the list. Throws unless they are distinct, below `rank` and in ascending order.
inline ints sorted_axes(const site& s, std::string_view key, std::int64_t rank) {
  ints axes = dimension_list(s, key);
  require_axes(s, key, axes, rank);
  if (!std::ranges::is_sorted(axes)) s.malformed(detail::message("its {} are not sorted", key));
  return axes;
}

/// The dimensions of the operand that windows lack: the dimensions in the parameter `missing_key`, and the batching
/// dimensions, along which the index is the position in the batch.
struct indexed_dims {
  ints missing, operand_batch, index_batch;

  indexed_dims(const site& s, std::string_view missing_key, std::string_view index_batch_key)
      : missing(sorted_axes(s, missing_key, s.in_type(0).rank())),
        operand_batch(sorted_axes(s, "operand_batching_dims", s.in_type(0).rank())),
        index_batch(dimension_list(s, index_batch_key)) {
    require_axes(s, "dimension_numbers", joined_axes(missing, operand_batch), s.in_type(0).rank());
    require_axes(s, index_batch_key, index_batch, s.in_type(1).rank() - 1);
    require_equal_extents(s, 0, operand_batch, 1, index_batch);
  }
  /// The dimensions that windows have.
  ints window(const site& s) const { return complement(s.in_type(0).rank(), missing, operand_batch); }
};

/// Operand 1 must be [batch..., k], with an integer for each of the k operand dimensions in the list `map_key`.
inline void check_index_vectors(const site& s, std::string_view map_key) {
  require_kind(s, 1, kinds::integer);
  if (s.in_type(1).rank() < 1) s.malformed("operand 1, its indices, is a scalar");
  const ints map = dimension_list(s, map_key);
  require_axes(s, map_key, joined_axes(map, dimension_list(s, "operand_batching_dims")), s.in_type(0).rank());
  if (provably_differ(s.g.dims(), s.in_type(1).dims.back(), std::ssize(map)))
    s.malformed(detail::message("its {} has {} entr{y|ies}, but operand 1 is {}", map_key, map.size(),
                                text(s.g.dims(), s.in_type(1))));
}

/// A window must be no larger than the operand, unless there are no windows. Along collapsed dimensions a window must
/// have one element, along batching dimensions at most one.
inline void check_slice_sizes(const site& s, const shape& sizes, const indexed_dims& dims) {
  dim_table& table = s.g.dims();
  const shape& operand = s.in_type(0).dims;
  for (std::size_t d = 0; d < sizes.size() && !is_empty(s.in_type(1).dims); ++d)
    if (provably_less(table, operand[d], sizes[d]) || provably_less(table, sizes[d], 0))
      s.malformed(detail::message("its slice_sizes has {} for axis {} of {}; it must be from 0 to the extent",
                                  table.text(sizes[d]), d, text(table, s.in_type(0))));
  for (dim size : extents_at(sizes, dims.missing))
    if (provably_differ(table, size, 1)) s.malformed("a collapsed dimension has a slice size other than 1");
  for (dim size : extents_at(sizes, dims.operand_batch))
    if (provably_less(table, 1, size)) s.malformed("a batching dimension has a slice size of more than 1");
}

/// gather operand indices: the axes offset_dims of the result are the axes of the windows.
inline std::vector<aval> gather_types(const site& s) {
  check_index_vectors(s, "start_index_map");
  const indexed_dims dims(s, "collapsed_slice_dims", "start_indices_batching_dims");
  const auto sizes = s.param<shape>("slice_sizes");
  check_slice_sizes(s, sizes, dims);
  const shape window = extents_at(sizes, dims.window(s)), batch = s.in_type(1).dims.head(s.in_type(1).rank() - 1);
  const std::int64_t rank = std::ssize(window) + std::ssize(batch);
  const ints offset = sorted_axes(s, "offset_dims", rank);
  if (offset.size() != window.size())
    s.malformed(detail::message("its offset_dims has {} entr{y|ies}, but a window has {} ax{is|es}", offset.size(),
                                window.size()));
  shape out(static_cast<std::size_t>(rank), dim());
  const ints rest = complement(rank, offset);
  for (std::size_t i = 0; i < window.size(); ++i) out[static_cast<std::size_t>(offset[i])] = window[i];
  for (std::size_t i = 0; i < batch.size(); ++i) out[static_cast<std::size_t>(rest[i])] = batch[i];
  return {{s.in_type(0).elem, out}};
}

/// The axes update_window_dims of the updates must be the axes of windows. All other axes must be the batch axes of the
/// index vectors.
inline void check_updates(const site& s, const indexed_dims& dims) {
  dim_table& table = s.g.dims();
  const shape& updates = s.in_type(2).dims;
  const ints axes = sorted_axes(s, "update_window_dims", std::ssize(updates));
  const ints window = dims.window(s), batch = complement(std::ssize(updates), axes);
  if (axes.size() != window.size())
    s.malformed(detail::message("its update_window_dims has {} entr{y|ies}, but a window has {} ax{is|es}", axes.size(),
                                window.size()));
  require_equal_extents(s, 2, batch, 1, iota_axes(s.in_type(1).rank() - 1));
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (provably_less(table, extents_at(s.in_type(0).dims, window)[i], extents_at(updates, axes)[i]))
      s.malformed(detail::message("axis {} of operand 2, which is {}, is larger than in operand 0, which is {}",
                                  axes[i], text(table, s.in_type(2)), text(table, s.in_type(0))));
}

/// The result types of `scatter operand indices updates`.
inline std::vector<aval> scatter_types(const site& s) {
  require_same_element(s, 2, 0);
  check_index_vectors(s, "scatter_dims_to_operand_dims");
  check_updates(s, indexed_dims(s, "inserted_window_dims", "scatter_indices_batching_dims"));
  const aval scalar{s.in_type(0).elem, {}};
  if (const jaxpr::value* body = s.find("update_jaxpr"); body && body->tag == jaxpr::value::kind::body)
    require_body(s, *body->body, std::vector{scalar, scalar}, {&scalar, 1});
  return {s.in_type(0)};
}

/// Operands from `first` on must be a start for each axis: integer scalars of one type.
inline void check_starts(const site& s, std::size_t first) {
  if (s.arity() != first + s.in_type(0).dims.size())
    s.malformed(detail::message("it has {} start{|s} for operand 0, which is {}; it needs one for each axis",
                                s.arity() - first, text(s.g.dims(), s.in_type(0))));
  for (std::size_t i = first; i < s.arity(); ++i) {
    require_kind(s, i, kinds::integer);
    require_rank(s, i, 0);
    require_same_element(s, i, first);
  }
}
/// A slice of these extents must be no larger than operand 0.
inline void check_slice(const site& s, const shape& sizes) {
  const shape& whole = s.in_type(0).dims;
  for (std::size_t d = 0; d < whole.size(); ++d)
    if (provably_less(s.g.dims(), whole[d], sizes[d]))
      s.malformed(detail::message("its slice has {} element{|s} along axis {} of {}; this axis has fewer elements",
                                  s.g.dims().text(sizes[d]), d, text(s.g.dims(), s.in_type(0))));
}

/// The result types of `dynamic_slice operand start…`.
inline std::vector<aval> dynamic_slice_types(const site& s) {
  check_starts(s, 1);
  const auto sizes = s.param<shape>("slice_sizes");
  check_slice(s, sizes);
  return {{s.in_type(0).elem, sizes}};
}

/// The result types of `dynamic_update_slice operand update start…`.
inline std::vector<aval> dynamic_update_slice_types(const site& s) {
  check_starts(s, 2);
  require_same_element(s, 1, 0);
  require_rank(s, 1, s.in_type(0).rank());
  check_slice(s, s.in_type(1).dims);
  return {s.in_type(0)};
}

/// sort operand…: all operands have one shape; the first num_keys of them are keys.
inline std::vector<aval> sort_types(const site& s) {
  const auto keys = s.param_or<std::int64_t>("num_keys", 1);
  if (keys > std::ssize(s.in_types()))
    s.malformed(detail::message("it has {} key{|s}, but {} operand{|s}", keys, s.arity()));
  for (std::size_t i = 0; i < s.arity(); ++i) {
    require_kind(s, i, kinds::data);
    require_shape(s, i, s.in_type(0).dims, "operand 0");
  }
  return for_all_results(s, {s.in_types().begin(), s.in_types().end()});
}

/// Parameter k. Throws malformed_error if k is negative or exceeds the extent of the axis.
inline dim checked_k(const site& s, std::int64_t axis) {
  const dim k = s.param<dim>("k"), n = s.in_type(0).dims[static_cast<std::size_t>(axis)];
  if (provably_less(s.g.dims(), k, 0) || provably_less(s.g.dims(), n, k))
    s.malformed(
        detail::message("its k is {}, but the axis has {} element{|s}", s.g.dims().text(k), s.g.dims().text(n)));
  return k;
}

/// The types of the values and their positions: operand 0 with n elements along the axis.
inline std::vector<aval> selected_types(const site& s, std::int64_t axis, dim n) {
  aval values = s.in_type(0);
  values.dims[static_cast<std::size_t>(axis)] = n;
  return {values, {element_named("i32"), values.dims}};
}

/// The axis; the last axis of operand 0 for JAX versions that do not print it.
inline std::int64_t top_k_axis(const site& s) { return s.param_or<std::int64_t>("axis", s.in_type(0).rank() - 1); }

inline std::vector<aval> top_k_types(const site& s) {
  require_kind(s, 0, kinds::ordered);
  if (s.in_type(0).rank() == 0) s.malformed("its operand is a scalar");
  return selected_types(s, top_k_axis(s), checked_k(s, top_k_axis(s)));
}

/// The result types of approx_top_k. Without aggregate_to_topk, the results may have more than k elements.
inline std::vector<aval> approx_top_k_types(const site& s) {
  require_kind(s, 0, kinds::floating);
  const std::int64_t rank = s.in_type(0).rank(), printed = s.param<std::int64_t>("reduction_dimension");
  const std::int64_t axis = printed < 0 ? printed + rank : printed;
  require_axes(s, "reduction_dimension", {axis}, rank);
  const dim k = checked_k(s, axis);
  require_axes(s, "reduction_dimension", {axis}, s.out_type().rank());
  const dim printed_k = s.out_dims()[static_cast<std::size_t>(axis)];
  return selected_types(s, axis, s.param_or("aggregate_to_topk", true) ? k : printed_k);
}

/// SearchSorted sorted query: the first batch_dims axes of both have the same extents. The integer type of the result
/// is the printed type, or int32 if the text states no results.
inline std::vector<aval> search_sorted_types(const site& s) {
  require_kind(s, 0, kinds::data);
  require_same_element(s, 1, 0);
  const auto batch = s.param<std::int64_t>("batch_dims"), axis = s.param<std::int64_t>("dimension");
  const shape &sorted = s.in_type(0).dims, &query = s.in_type(1).dims;
  if (batch > axis || batch > std::ssize(query) || provably_differ(s.g.dims(), sorted.head(batch), query.head(batch)))
    s.malformed(detail::message("its batch_dims {} and its dimension {} do not fit the operands, {} and {}", batch,
                                axis, text(s.g.dims(), s.in_type(0)), text(s.g.dims(), s.in_type(1))));
  aval out{element_named("i32"), sorted};
  if (!s.has_open_results()) out.elem = s.out_type().elem;
  out.dims.drop(axis);
  out.dims.append(query.tail(batch));
  if (!contains(kinds::integer, kind_of(out.elem))) s.malformed("its result is not an integer");
  return {out};
}

/// Nonzero x fill…: one fill value for each axis, or no fill value.
inline std::vector<aval> nonzero_types(const site& s) {
  const auto axes = s.param<ints>("axes");
  require_kind(s, 0, kinds::data);
  aval out{s.param<element>("out_dtype"), extents_at(s.in_type(0).dims, complement(s.in_type(0).rank(), axes))};
  if (s.arity() != 1 && s.arity() != axes.size() + 1) s.malformed("it needs a fill value for each axis, or none");
  for (std::size_t i = 1; i < s.arity(); ++i)
    if (s.in_type(i).elem != out.elem || s.in_type(i).rank() > out.rank())
      s.malformed(detail::message("fill value {} is {}; it must be a scalar, or an array, of {}", i - 1,
                                  text(s.g.dims(), s.in_type(i)), out.elem.name));
  out.dims.push_back(s.param<dim>("size"));
  return for_all_results(s, std::vector<aval>(axes.size(), out));
}

inline constexpr signature search_sorted_signature{2,
                                                   1,
                                                   search_sorted_types,
                                                   {{"side", param_form::name},
                                                    {"dimension", param_form::axis},
                                                    {"batch_dims", param_form::number, 0},
                                                    {"method", param_form::name}}};
inline constexpr signature nonzero_signature{
    or_more(1),
    {},
    nonzero_types,
    {{"size", param_form::extent, 0}, {"axes", param_form::axes}, {"out_dtype", param_form::element}}};

inline constexpr param_rule slice_sizes{"slice_sizes", param_form::per_axis, 0, dim::limit - 1};
inline constexpr param_rule index_mode{"mode", param_form::name};
inline constexpr signature gather_signature{
    2,
    1,
    gather_types,
    {{"dimension_numbers", param_form::structure,
      "offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims, start_indices_batching_dims"},
     slice_sizes,
     index_mode,
     {"fill_value", param_form::other}}};
inline constexpr signature scatter_signature{
    3,
    1,
    scatter_types,
    {{"dimension_numbers", param_form::structure,
      "update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, operand_batching_dims, "
      "scatter_indices_batching_dims"},
     index_mode,
     {"update_jaxpr", param_form::body}}};
inline constexpr signature dynamic_slice_signature{or_more(1), 1, dynamic_slice_types, {slice_sizes}};
inline constexpr signature dynamic_update_slice_signature{or_more(2), 1, dynamic_update_slice_types};
inline constexpr signature sort_signature{
    or_more(1), or_more(1), sort_types, {{"dimension", param_form::axis}, {"num_keys", param_form::number, 1}}};
inline constexpr signature top_k_signature{1, 2, top_k_types, {{"axis", param_form::axis}, {"k", param_form::extent}}};
inline constexpr signature approx_top_k_signature{1,
                                                  2,
                                                  approx_top_k_types,
                                                  {{"reduction_dimension", param_form::number},
                                                   {"k", param_form::extent},
                                                   {"is_max_k", param_form::flag},
                                                   {"aggregate_to_topk", param_form::flag}}};

}  // namespace jax2onnx::lower
