#pragma once

#include <algorithm>
#include <vector>

#include <jax2onnx/lower/indexing/start_indices.hpp>
#include <jax2onnx/lower/literal.hpp>

/// gather in every form. Source: jax.lax.gather, GatherDimensionNumbers.
namespace jax2onnx::lower {

/// Slices of an array and where they go. Axes of a result that is being built carry labels: d >= 0 is the operand's
/// dimension d, -1 - b the index vectors' batch dimension b.
struct gather_form {
  ints offset, collapsed, map, operand_batch, index_batch;
  shape sizes, operand;

  explicit gather_form(const site& s) : sizes(s.param<shape>("slice_sizes")), operand(s.in_type(0).dims) {
    const jaxpr::value& d = s.tree("dimension_numbers");
    offset = s.argument_or<ints>(d, "offset_dims", {});
    collapsed = s.argument_or<ints>(d, "collapsed_slice_dims", {});
    map = s.argument_or<ints>(d, "start_index_map", {});
    operand_batch = s.argument_or<ints>(d, "operand_batching_dims", {});
    index_batch = s.argument_or<ints>(d, "start_indices_batching_dims", {});
  }

  dim size(std::int64_t d) const { return sizes[static_cast<std::size_t>(d)]; }
  /// The slices take the whole dimension: its start can only be 0.
  bool is_whole(std::int64_t d) const { return size(d) == operand[static_cast<std::size_t>(d)]; }
  shape limits(graph& g) const {
    shape out;
    for (std::int64_t d : map) out.push_back(g.dims().sub(operand[static_cast<std::size_t>(d)], size(d)));
    return out;
  }
  /// The labels of the operand's axes where no index chooses anything.
  ints unindexed_labels() const {
    ints out = iota_axes(std::ssize(operand));
    for (std::size_t i = 0; i < operand_batch.size(); ++i)
      out[static_cast<std::size_t>(operand_batch[i])] = -1 - index_batch[i];
    return out;
  }
  /// The labels of the result's axes.
  ints result_labels(std::int64_t rank) const {
    const ints kept = complement(std::ssize(operand), collapsed, operand_batch);
    ints out;
    std::size_t next_offset = 0;
    for (std::int64_t axis = 0, batch = 0; axis < rank; ++axis)
      out.push_back(std::ranges::find(offset, axis) != offset.end() ? kept[next_offset++] : -1 - batch++);
    return out;
  }
};

/// An array whose axes have labels.
struct labelled {
  value array;
  ints labels;
};

/// The array with its axes as `wanted` says: labels that it lacks become extents of 1, those that it has in excess are
/// of extent 1 and go.
inline value arrange(labelled x, const ints& wanted) {
  ints excess, perm, absent;
  for (std::size_t i = 0; i < x.labels.size(); ++i)
    if (std::ranges::find(wanted, x.labels[i]) == wanted.end()) excess.push_back(static_cast<std::int64_t>(i));
  x.array = squeeze(x.array, excess);
  for (auto axis = excess.rbegin(); axis != excess.rend(); ++axis) x.labels.drop(*axis);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto at = std::ranges::find(x.labels, wanted[i]);
    if (at == x.labels.end()) absent.push_back(static_cast<std::int64_t>(i));
    else perm.push_back(at - x.labels.begin());
  }
  return unsqueeze(jax2onnx::transpose(x.array, perm), absent);
}

inline ints batch_labels(std::int64_t rank) {
  ints out;
  for (std::int64_t b = 0; b < rank; ++b) out.push_back(-1 - b);
  return out;
}

/// One window at computed starts: a Slice.
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

/// Slices along one dimension: a Gather.
inline labelled gather_axis(const value& x, const start_indices& starts, std::int64_t column, const gather_form& f) {
  const std::int64_t axis = f.map[static_cast<std::size_t>(column)];
  value at = starts.column(static_cast<std::size_t>(column));
  ints labels = iota_axes(axis);
  labels = joined(labels, batch_labels(starts.batch_rank()));
  if (!f.size(axis).is(1)) {
    at = add(cast(unsqueeze(at, {at.rank()}), dtype::i64), range(x.owner(), f.size(axis)));
    labels.push_back(axis);
  }
  for (std::int64_t d = axis + 1; d < x.rank(); ++d) labels.push_back(d);
  return {jax2onnx::gather(x, at, axis), labels};
}

/// The general form: the batching and indexed dimensions come first, then GatherND.
inline labelled gather_points(const value& x, const start_indices& starts, ints columns, const gather_form& f) {
  const auto dimension = [&](std::int64_t c) { return f.map[static_cast<std::size_t>(c)]; };
  std::ranges::sort(columns, {}, dimension);
  ints indexed;
  shape sizes;
  for (std::int64_t c : columns) {
    indexed.push_back(dimension(c));
    sizes.push_back(f.size(indexed.back()));
  }
  const ints rest = complement(x.rank(), f.operand_batch, indexed);
  const value operand = jax2onnx::transpose(x, joined(f.operand_batch, indexed, rest));
  const value indices = window_indices(starts, columns, sizes);
  const bool points = indices.rank() == starts.batch_rank() + 1;
  const ints other_batch = complement(starts.batch_rank(), f.index_batch);
  const ints trailing = complement(indices.rank(), f.index_batch, other_batch);
  const value ordered = jax2onnx::transpose(indices, joined(f.index_batch, other_batch, trailing));
  ints labels;
  for (std::int64_t b : joined(f.index_batch, other_batch)) labels.push_back(-1 - b);
  if (!points) labels = joined(labels, indexed);
  return {gather_nd(operand, ordered, std::ssize(f.operand_batch)), joined(labels, rest)};
}

/// One element along an axis for every position of the others: GatherElements; nothing where the form is another one.
inline std::optional<labelled> gather_along(const value& x, const start_indices& starts, const ints& columns,
                                            const gather_form& f) {
  if (columns.size() != 1 || std::ssize(f.operand_batch) != x.rank() - 1) return std::nullopt;
  const std::int64_t axis = f.map[static_cast<std::size_t>(columns[0])];
  const ints free = complement(starts.batch_rank(), f.index_batch);
  if (!f.size(axis).is(1) || free.size() != 1) return std::nullopt;
  ints perm(static_cast<std::size_t>(x.rank()), free[0]), labels;
  for (std::size_t i = 0; i < f.operand_batch.size(); ++i)
    perm[static_cast<std::size_t>(f.operand_batch[i])] = f.index_batch[i];
  for (std::int64_t b : perm) labels.push_back(-1 - b);
  return labelled{
      gather_elements(x, jax2onnx::transpose(starts.column(static_cast<std::size_t>(columns[0])), perm), axis), labels};
}

inline value gather_part(const site& s, value x, const start_indices& starts, const gather_form& f) {
  ints columns;
  for (std::size_t c = 0; c < f.map.size(); ++c)
    if (!f.is_whole(f.map[c]) || std::ranges::find(f.operand_batch, f.map[c]) != f.operand_batch.end())
      columns.push_back(static_cast<std::int64_t>(c));
  for (std::int64_t d : complement(x.rank(), f.map, f.operand_batch)) x = jax2onnx::slice(x, d, 0, f.size(d));
  const ints wanted = f.result_labels(std::ssize(s.out_dims()));
  const bool points =
      std::ranges::all_of(columns, [&](std::int64_t c) { return f.size(f.map[static_cast<std::size_t>(c)]).is(1); });
  if (columns.empty()) return broadcast_to(arrange({x, f.unindexed_labels()}, wanted), s.out_dims());
  if (starts.batch_rank() == 0 && !points) return arrange(gather_one(x, starts, columns, f), wanted);
  if (columns.size() == 1 && f.operand_batch.empty()) return arrange(gather_axis(x, starts, columns[0], f), wanted);
  if (const auto along = gather_along(x, starts, columns, f)) return arrange(*along, wanted);
  return arrange(gather_points(x, starts, columns, f), wanted);
}

/// The number of a printed parameter, np.float32(…) taken off.
inline std::string_view number_text(std::string_view text) {
  if (text.ends_with(')') && text.starts_with("np."))
    return text.substr(text.find('(') + 1, text.size() - text.find('(') - 2);
  return text;
}

/// What gather yields out of bounds, for each part.
inline jax_value fill_value(const site& s) {
  const jaxpr::value* v = s.find("fill_value");
  const element& e = s.out_type().elem;
  if (e.cls != element_class::key) return literal_operand(s.g, number_text(v ? v->text : "0"), e, s.where());
  jax_value words;
  for (words.count = 0; words.count < e.parts; ++words.count)
    words.parts[words.count] = literal_operand(s.g, number_text(v->text), element_named("u32"), s.where()).re();
  return words;
}

inline jax_values gather(const site& s) {
  const gather_form f(s);
  bounds_mode mode = bounds_mode_of(s);
  s.ignore("fill_value", "only FILL_OR_DROP fills, which reads it below");
  // XLA moves a window into bounds even where the program promises that it is. For single elements, x[i], the promise
  // saves a Clip; but not for the numbering that scatter's derivative scatters and gathers by the same indices.
  const bool points = std::ranges::all_of(f.map, [&](std::int64_t d) { return f.size(d).is(1) || f.is_whole(d); });
  const dtype t = s.out_dtype();
  const bool numbering = is_unsigned_integer(t) && bits(t) >= 32;
  if (mode == bounds_mode::promise && (!points || numbering)) mode = bounds_mode::clip;
  const start_indices starts = read_starts(s.in(1), f.limits(s.g), mode);
  value valid = starts.valid;
  if (valid) {
    // Offset dimensions after a batch dimension need an extent of 1; leading ones broadcast.
    ints added, batch = complement(std::ssize(s.out_dims()), f.offset);
    for (std::int64_t axis : f.offset)
      if (!batch.empty() && axis > batch[0]) added.push_back(axis - batch[0]);
    std::ranges::sort(added);
    valid = unsqueeze(valid, added);
  }
  jax_value out;
  for (std::size_t p = 0; p < s.in_parts(0).count; ++p) {
    value y = gather_part(s, s.in_parts(0).parts[p], starts, f);
    if (valid) y = where(valid, y, fill_value(s).parts[p]);
    out.parts[out.count++] = y;
  }
  return {out};
}

inline constexpr lowering gather_rows[] = {
    {"gather", gather, "Gather, GatherElements, GatherND, Slice, Where", parts_rule::own,
     ignores{"indices_are_sorted unique_indices"}},
};

}  // namespace jax2onnx::lower
