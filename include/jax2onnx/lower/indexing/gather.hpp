// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/indexing/start_indices.hpp>
#include <jax2onnx/lower/indexing/types.hpp>
#include <jax2onnx/lower/literal.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/operators/views/producer.hpp>

/// Lowers gather in every form: to Slice, Gather, GatherElements or GatherND, whichever fits the dimension numbers.
/// Source: jax.lax.gather, GatherDimensionNumbers.
namespace jax2onnx::lower {

// ops::gather is the verb; the lowering has the same name.
using ops::gather;

/// The dimension numbers and sizes of a gather. A label names an axis of an intermediate array: d >= 0 is dimension d
/// of the operand, -1 - b is batch dimension b of the index vectors.
struct gather_form {
  ints offset, collapsed, map, operand_batch, index_batch;  ///< the lists of GatherDimensionNumbers
  shape sizes, operand_dims;

  dim size(std::int64_t d) const { return sizes[static_cast<std::size_t>(d)]; }
  dim extent(std::int64_t d) const { return operand_dims[static_cast<std::size_t>(d)]; }
  /// Returns whether slices have the whole extent of dimension d, so that the start can only be 0.
  bool is_whole(std::int64_t d) const { return size(d) == extent(d); }
  /// The largest start along each indexed dimension.
  shape limits(graph& g) const {
    shape out;
    for (std::int64_t d : map) out.push_back(g.dims().sub(extent(d), size(d)));
    return out;
  }
  /// The components of the index vectors that affect the result: the components for dimensions that slices do not
  /// cover, and for batching dimensions.
  ints choosing_columns() const {
    ints out;
    for (std::size_t c = 0; c < map.size(); ++c)
      if (!is_whole(map[c]) || has_axis(operand_batch, map[c])) out.push_back(static_cast<std::int64_t>(c));
    return out;
  }
  /// The labels of the operand's axes if no index affects the result.
  ints unindexed_labels() const {
    ints out = iota_axes(std::ssize(operand_dims));
    for (std::size_t i = 0; i < operand_batch.size(); ++i)
      out[static_cast<std::size_t>(operand_batch[i])] = -1 - index_batch[i];
    return out;
  }
  /// The labels of the axes of a result of the given rank.
  ints result_labels(std::int64_t rank) const {
    const ints kept = complement(std::ssize(operand_dims), collapsed, operand_batch);
    ints out;
    std::size_t next_offset = 0;
    for (std::int64_t axis = 0, batch = 0; axis < rank; ++axis)
      out.push_back(has_axis(offset, axis) ? kept[next_offset++] : -1 - batch++);
    return out;
  }
};

inline gather_form read_gather_form(const site& s) {
  const jaxpr::value& d = s.tree("dimension_numbers");
  return {.offset = s.argument_or<ints>(d, "offset_dims", {}),
          .collapsed = s.argument_or<ints>(d, "collapsed_slice_dims", {}),
          .map = s.argument_or<ints>(d, "start_index_map", {}),
          .operand_batch = s.argument_or<ints>(d, "operand_batching_dims", {}),
          .index_batch = s.argument_or<ints>(d, "start_indices_batching_dims", {}),
          .sizes = s.param<shape>("slice_sizes"),
          .operand_dims = s.in_type(0).dims};
}

/// An array whose axes have labels.
struct labelled {
  value array;
  ints labels;
};

/// The array with its axes in the order of the labels `wanted`. Missing labels become extents of 1; axes with other
/// labels have an extent of 1 and are removed.
inline value arrange(labelled x, const ints& wanted) {
  ints excess, perm, absent;
  for (std::size_t i = 0; i < x.labels.size(); ++i)
    if (!has_axis(wanted, x.labels[i])) excess.push_back(static_cast<std::int64_t>(i));
  x.array = squeeze(x.array, excess);
  for (auto axis = excess.rbegin(); axis != excess.rend(); ++axis) x.labels.drop(*axis);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (const auto at = axis_position(x.labels, wanted[i])) perm.push_back(static_cast<std::int64_t>(*at));
    else absent.push_back(static_cast<std::int64_t>(i));
  }
  return unsqueeze(transpose(x.array, perm), absent);
}

/// The labels of batch dimensions 0, 1, …, rank - 1.
inline ints batch_labels(std::int64_t rank) {
  ints out;
  for (std::int64_t b = 0; b < rank; ++b) out.push_back(-1 - b);
  return out;
}

/// Reads a single slice at computed starts, by Slice.
inline labelled gather_one(const value& x, const start_indices& starts, const ints& columns, const gather_form& f) {
  graph& g = x.owner();
  ints axes;
  shape sizes, out = x.dims();
  for (std::int64_t c : columns) {
    axes.push_back(f.map[static_cast<std::size_t>(c)]);
    sizes.push_back(f.size(axes.back()));
    out[static_cast<std::size_t>(axes.back())] = sizes.back();
  }
  const value begin = starts.columns(columns);
  const value end = add(begin, extents_value(g, sizes, begin.dtype()));
  const value at = array(g, begin.dtype(), {std::ssize(axes)}, std::span<const std::int64_t>(axes));
  return {g.emit("Slice", {x, begin, end, at}, {x.dtype(), out}), iota_axes(x.rank())};
}

/// Reads slices along one dimension, by Gather.
inline labelled gather_axis(const value& x, const start_indices& starts, std::int64_t column, const gather_form& f) {
  const std::int64_t axis = f.map[static_cast<std::size_t>(column)];
  value at = starts.column(static_cast<std::size_t>(column));
  ints labels = joined_axes(iota_axes(axis), batch_labels(starts.batch_rank()));
  if (!f.size(axis).is(1)) {
    at = add(cast(unsqueeze(at, {at.rank()}), dtype::i64), range(x.owner(), f.size(axis)));
    labels.push_back(axis);
  }
  for (std::int64_t d = axis + 1; d < x.rank(); ++d) labels.push_back(d);
  return {gather(x, at, axis), labels};
}

/// Reads slices in the general form, by GatherND after a Transpose that puts the batching dimensions first, then the
/// indexed dimensions.
inline labelled gather_points(const value& x, const start_indices& starts, ints columns, const gather_form& f) {
  const auto dimension = [&](std::int64_t c) { return f.map[static_cast<std::size_t>(c)]; };
  std::sort(columns.begin(), columns.end(),
            [&](std::int64_t a, std::int64_t b) { return dimension(a) < dimension(b); });
  ints indexed;
  shape sizes;
  for (std::int64_t c : columns) {
    indexed.push_back(dimension(c));
    sizes.push_back(f.size(indexed.back()));
  }
  const ints rest = complement(x.rank(), f.operand_batch, indexed);
  const value operand = transpose(x, joined_axes(f.operand_batch, indexed, rest));
  const value indices = window_indices(starts, columns, sizes);
  const bool points = indices.rank() == starts.batch_rank() + 1;
  const ints other_batch = complement(starts.batch_rank(), f.index_batch);
  const ints trailing = complement(indices.rank(), f.index_batch, other_batch);
  const value ordered = transpose(indices, joined_axes(f.index_batch, other_batch, trailing));
  ints labels;
  for (std::int64_t b : joined_axes(f.index_batch, other_batch)) labels.push_back(-1 - b);
  if (!points) labels = joined_axes(labels, indexed);
  return {gather_nd(operand, ordered, std::ssize(f.operand_batch)), joined_axes(labels, rest)};
}

/// Reads one element along an axis for each position along all other axes, by GatherElements. nullopt for any other
/// form.
inline std::optional<labelled> gather_along(const value& x, const start_indices& starts, const ints& columns,
                                            const gather_form& f) {
  if (columns.size() != 1 || std::ssize(f.operand_batch) != x.rank() - 1) return std::nullopt;
  const std::int64_t axis = f.map[static_cast<std::size_t>(columns[0])];
  const ints free = complement(starts.batch_rank(), f.index_batch);
  if (!f.size(axis).is(1) || free.size() != 1) return std::nullopt;
  const ints perm = align_to_operand(x.rank(), f.operand_batch, f.index_batch, free[0]);
  ints labels;
  for (std::int64_t b : perm) labels.push_back(-1 - b);
  return labelled{gather_elements(x, transpose(starts.column(static_cast<std::size_t>(columns[0])), perm), axis),
                  labels};
}

/// The gather of one tensor.
inline value gather_part(const site& s, value x, const start_indices& starts, const gather_form& f) {
  const ints columns = f.choosing_columns();
  for (std::int64_t d : complement(x.rank(), f.map, f.operand_batch)) x = slice(x, d, 0, f.size(d));
  const ints wanted = f.result_labels(std::ssize(s.out_dims()));
  bool points = true;
  for (std::int64_t c : columns) points = points && f.size(f.map[static_cast<std::size_t>(c)]).is(1);
  if (columns.empty()) return broadcast_to(arrange({x, f.unindexed_labels()}, wanted), s.out_dims());
  if (starts.batch_rank() == 0 && !points) return arrange(gather_one(x, starts, columns, f), wanted);
  if (columns.size() == 1 && f.operand_batch.empty()) return arrange(gather_axis(x, starts, columns[0], f), wanted);
  if (const auto along = gather_along(x, starts, columns, f)) return arrange(*along, wanted);
  return arrange(gather_points(x, starts, columns, f), wanted);
}

/// The number in a printed parameter, such as 1.5 in np.float32(1.5).
inline std::string_view number_text(std::string_view text) {
  if (text.ends_with(')') && text.starts_with("np."))
    return text.substr(text.find('(') + 1, text.size() - text.find('(') - 2);
  return text;
}

/// i modulo 2^n, as an integer of type t with n bits.
inline std::int64_t wrapped_to(std::int64_t i, dtype t) {
  const int unused = 64 - bits(t);
  const std::uint64_t high = static_cast<std::uint64_t>(i) << unused;
  return is_unsigned_integer(t) ? static_cast<std::int64_t>(high >> unused) : static_cast<std::int64_t>(high) >> unused;
}

/// The value that gather yields out of bounds. An integer wraps: JAX casts -1 to 255 for uint8, and 5 to True.
inline jax_value fill_value(const site& s) {
  const jaxpr::value* v = s.find("fill_value");
  const element& e = s.out_type().elem;
  const std::string_view text = number_text(v ? v->text : "0");
  if (e.cls == element_class::plain && is_integer(e.part))
    if (const auto wide = parse_integer(text, dtype::i64)) return scalar(s.g, e.part, wrapped_to(*wide, e.part));
  if (is_boolean(e.part) && e.cls == element_class::plain)
    if (const auto number = parse_real(text)) return scalar(s.g, e.part, std::int64_t{*number != 0});
  if (e.cls != element_class::key) return literal_value(s.g, text, e, s.where());
  const value word = literal_value(s.g, text, element_named("u32"), s.where()).re();
  return from_parts(e.parts, [&](std::size_t) { return word; });
}

/// Returns whether gather yields NaN out of bounds, in all parts of an element. It does not for complex numbers, whose
/// fill value is nan + 0j.
inline bool fills_with_nan(const site& s) {
  const jaxpr::value* v = s.find("fill_value");
  return v && number_text(v->text) == "nan" && !s.is_complex();
}

/// `valid` ([batch...]) with axes added so that it broadcasts to a result of the given rank: an extent of 1 for each
/// offset dimension after the first batch dimension. Offset dimensions before the first batch dimension need no extra
/// axis.
inline value broadcast_over_offsets(const value& valid, const gather_form& f, std::int64_t rank) {
  const ints batch = complement(rank, f.offset);
  ints added;
  for (std::int64_t axis : f.offset)
    if (!batch.empty() && axis > batch[0]) added.push_back(axis - batch[0]);
  std::sort(added.begin(), added.end());
  return unsqueeze(valid, added);
}

/// Components `which` of index vectors: [..., which.size()].
inline value chosen_components(const value& indices, const ints& which) {
  const std::int64_t axis = indices.rank() - 1;
  const node* n = operators::producer(indices, "Concat");
  if (!n || std::ssize(n->inputs) != indices.dims().back().extent())
    return gather(indices, int64s(indices.owner(), which), axis);
  std::vector<value> chosen;
  for (std::int64_t c : which) chosen.push_back(operators::input_of(indices, static_cast<std::size_t>(c)));
  return concat(chosen, axis);
}
/// Removes components that do not affect the result (their clamped value is 0) from the index vectors and from `f`.
inline value without_idle_components(const value& indices, gather_form& f) {
  const ints columns = f.choosing_columns();
  if (columns.empty() || columns.size() == f.map.size()) return indices;
  ints map;
  for (std::int64_t c : columns) map.push_back(f.map[static_cast<std::size_t>(c)]);
  f.map = map;
  return chosen_components(indices, columns);
}

/// y where `valid` holds, else NaN: y - 0 is y for every y, including -0. Subtracting an array as small as `valid`
/// takes less time than a Where on all of y.
inline value nan_unless(const value& valid, const value& y) {
  graph& g = y.owner();
  const value nan = scalar(g, y.dtype(), std::numeric_limits<double>::quiet_NaN());
  return sub(y, where(valid, scalar(g, y.dtype(), 0), nan));
}

inline jax_values gather(const site& s) {
  gather_form f = read_gather_form(s);
  s.ignore("fill_value", "only FILL_OR_DROP fills; that mode reads it below");
  const bounds_mode mode = bounds_mode_of(s, bounds_mode::clip);
  const value indices = mode == bounds_mode::clip ? without_idle_components(s.in(1), f) : s.in(1);
  const start_indices starts = read_starts(indices, f.limits(s.g), mode);
  const value valid = starts.valid ? broadcast_over_offsets(starts.valid, f, std::ssize(s.out_dims())) : value();
  return {from_parts(s.in_parts(0).count, [&](std::size_t p) {
    const value y = gather_part(s, s.in_parts(0).parts[p], starts, f);
    if (valid && !f.offset.empty() && fills_with_nan(s) && (y.dtype() == dtype::f32 || y.dtype() == dtype::f64))
      return nan_unless(valid, y);
    return valid ? where(valid, y, fill_value(s).parts[p]) : y;
  })};
}

inline constexpr lowering gather_rows[] = {
    {"gather", gather, "Gather, GatherElements, GatherND, Slice, Where", gather_signature, parts_rule::own,
     ignores{"indices_are_sorted unique_indices"}},
};

}  // namespace jax2onnx::lower
