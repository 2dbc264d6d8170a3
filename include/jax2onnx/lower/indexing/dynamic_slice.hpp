// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/lower/indexing/start_indices.hpp>
#include <jax2onnx/lower/indexing/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers dynamic_slice to Slice or Gather, and dynamic_update_slice to ScatterND or Slice and Concat. Starts are
/// clamped so that the slice is in bounds. Source: jax.lax.dynamic_slice.
namespace jax2onnx::lower {

/// The start of a slice along one axis: a known extent, otherwise an int32 or int64 scalar that is in bounds.
struct slice_start {
  std::int64_t axis = 0;
  dim size;
  dim known;  ///< a start that is known; used only if `computed` is absent
  value computed;
};

/// min(max(start, 0), limit) for a start in `range`; nullopt if the range does not determine it.
inline std::optional<dim> clamped_start(graph& g, const interval& range, dim limit) {
  const interval_math math(g.dims());
  if (math.at_most(range.high, 0)) return 0;
  if (math.at_most(limit, range.low)) return limit;
  return range.low == range.high && math.inside(range, {0, limit}) ? std::optional(range.low) : std::nullopt;
}

/// The start `at`, clamped so that the slice of extent `size` is in bounds along an axis of extent `whole`.
inline slice_start clamped_slice(std::int64_t axis, dim whole, dim size, const value& at) {
  graph& g = at.owner();
  const dim limit = g.dims().sub(whole, size);
  const interval range = range_of(at);
  if (const auto known = clamped_start(g, range, limit)) return {axis, size, *known, {}};
  const value inside = clamp_indices(clampable_index(at), {limit}, open_ends_of(g, range, limit));
  return {axis, size, 0, signed_index(inside)};
}

/// The starts along the axes that a slice of extents `sizes` does not cover. Operand first + i is the start along axis
/// i.
inline std::vector<slice_start> slice_starts(const site& s, std::size_t first, const shape& whole, const shape& sizes) {
  std::vector<slice_start> out;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != whole[i])
      out.push_back(clamped_slice(static_cast<std::int64_t>(i), whole[i], sizes[i], s.in(first + i)));
  return out;
}

/// The starts as a vector: int32 if all are computed as int32, otherwise int64.
inline value starts_vector(graph& g, const std::vector<slice_start>& starts) {
  bool narrow = true;
  for (const slice_start& s : starts) narrow = narrow && s.computed && s.computed.dtype() == dtype::i32;
  std::vector<value> numbers;
  for (const slice_start& s : starts)
    numbers.push_back(s.computed ? reshape(cast(s.computed, narrow ? dtype::i32 : dtype::i64), {1})
                                 : dim_value(g, s.known));
  return concat(numbers, 0);
}

inline bool all_known(const std::vector<slice_start>& starts) {
  for (const slice_start& s : starts)
    if (s.computed) return false;
  return true;
}

/// The only computed start, if the slice has one element along its axis, so that Gather can read it; otherwise null.
inline const slice_start* only_picked(const std::vector<slice_start>& starts) {
  const slice_start* computed = nullptr;
  for (const slice_start& s : starts)
    if (s.computed && std::exchange(computed, &s)) return nullptr;
  return computed && computed->size.is(1) ? computed : nullptr;
}

/// x[start : start + size] along the axes of `starts`, except the axis of `picked`, which is already sliced. All other
/// starts are known.
inline value slice_at_known(const value& x, const std::vector<slice_start>& starts, const slice_start* picked) {
  ints axes;
  shape begins, ends;
  for (const slice_start& s : starts) {
    if (&s == picked) continue;
    axes.push_back(s.axis);
    begins.push_back(s.known);
    ends.push_back(x.owner().dims().add(s.known, s.size));
  }
  return axes.empty() ? x : slice(x, axes, begins, ends, ints(axes.size(), 1));
}

/// x[start : start + size] along the axes of `starts`.
inline value slice_at(const value& x, const std::vector<slice_start>& starts) {
  if (all_known(starts)) return slice_at_known(x, starts, nullptr);
  graph& g = x.owner();
  if (const slice_start* s = only_picked(starts))
    return slice_at_known(gather(x, starts_vector(g, {*s}), s->axis), starts, s);
  ints axes;
  shape sizes, out = x.dims();
  for (const slice_start& s : starts) {
    axes.push_back(s.axis);
    sizes.push_back(s.size);
    out[static_cast<std::size_t>(s.axis)] = s.size;
  }
  const value begin = starts_vector(g, starts);
  const value end = add(begin, extents_value(g, sizes, begin.dtype()));
  return g.emit("Slice",
                {x, begin, end, array(g, begin.dtype(), {std::ssize(axes)}, std::span<const std::int64_t>(axes))},
                {x.dtype(), out});
}

inline jax_values dynamic_slice(const site& s) {
  return {slice_at(s.in(0), slice_starts(s, 1, s.in(0).dims(), s.out_dims()))};
}

/// x[.., start : start + size, ..] = update, as a Concat of the part before, the update and the part after. With
/// several axes, the update is first spliced into the slice of x along the first axis.
inline value splice(const value& x, const value& update, std::span<const slice_start> starts) {
  if (starts.empty()) return update;
  graph& g = x.owner();
  const slice_start& s = starts[0];
  const dim whole = x.extent(s.axis), size = s.size;
  if (!s.computed) {
    const dim end = g.dims().add(s.known, size);
    const value middle =
        starts.size() == 1 ? update : splice(slice(x, s.axis, s.known, end), update, starts.subspan(1));
    std::vector<value> pieces;
    if (!s.known.is(0)) pieces.push_back(slice(x, s.axis, 0, s.known));
    pieces.push_back(middle);
    if (end != whole) pieces.push_back(slice(x, s.axis, end, whole));
    return concat(pieces, s.axis);
  }
  const dtype t = s.computed.dtype();
  const auto constant = [&](std::int64_t n) { return extents_value(g, {n}, t); };
  const value begin = reshape(s.computed, {1}), end = add(begin, extents_value(g, {size}, t)), axis = constant(s.axis);
  shape unknown = x.dims(), part = x.dims();
  unknown[static_cast<std::size_t>(s.axis)] = dim::dyn();
  part[static_cast<std::size_t>(s.axis)] = size;
  const value before = g.emit("Slice", {x, constant(0), begin, axis}, {x.dtype(), unknown});
  const value after = g.emit("Slice", {x, end, constant(INT32_MAX), axis}, {x.dtype(), unknown});
  value middle = update;
  if (starts.size() > 1)
    middle = splice(g.emit("Slice", {x, begin, end, axis}, {x.dtype(), part}), update, starts.subspan(1));
  return g.emit("Concat", {before, middle, after}, x.type(), {{"axis", s.axis}});
}

/// Returns whether the slice is one row that ScatterND can write in place: at least one start is computed, and the
/// slice has one element along every axis up to the last axis of `starts`.
inline bool selects_one_row(const value& x, const std::vector<slice_start>& starts) {
  if (all_known(starts)) return false;
  for (std::int64_t axis = 0; axis <= starts.back().axis; ++axis) {
    const auto s = std::ranges::find(starts, axis, &slice_start::axis);
    if (!(s == starts.end() ? x.extent(axis) : s->size).is(1)) return false;
  }
  return true;
}
/// Makes a start known if its range allows only one value.
inline void settle(slice_start& s) {
  const interval range = s.computed ? range_of(s.computed) : interval{};
  if (s.computed && range.low == range.high) s = {s.axis, s.size, range.low, {}};
}
/// The index vector of the row at `starts`: [1, n].
inline value row_index(graph& g, const std::vector<slice_start>& starts) {
  const std::int64_t n = starts.back().axis + 1;
  if (starts.size() == 1 && n > 1) {
    ints one(static_cast<std::size_t>(n), 0);
    one.back() = 1;
    return mul(cast(starts[0].computed, dtype::i64), array(g, dtype::i64, {1, n}, std::span<const std::int64_t>(one)));
  }
  std::vector<slice_start> all;
  for (const slice_start& s : starts) {
    while (std::ssize(all) < s.axis) all.push_back({std::ssize(all), 1, 0, {}});
    all.push_back(s);
  }
  return unsqueeze(starts_vector(g, all), {0});
}
/// x with the row at `starts` replaced by `update`.
inline value replace_row(const value& x, const value& update, const std::vector<slice_start>& starts) {
  shape row{1};
  row.append(x.dims().tail(starts.back().axis + 1));
  return scatter_nd(x, row_index(x.owner(), starts), reshape(update, row));
}

/// x with the slice at `starts` replaced by `update`.
inline value update_at(const value& x, const value& update, const std::vector<slice_start>& starts) {
  return selects_one_row(x, starts) ? replace_row(x, update, starts) : splice(x, update, starts);
}

/// dynamic_update_slice operand update start…
inline jax_values dynamic_update_slice(const site& s) {
  const value x = s.in(0), update = s.in(1);
  return {update_at(x, update, slice_starts(s, 2, x.dims(), update.dims()))};
}

inline constexpr lowering dynamic_slice_rows[] = {
    {"dynamic_slice", dynamic_slice, "Slice, Gather", dynamic_slice_signature, parts_rule::each,
     ignores{"slice_sizes"}},
    {"dynamic_update_slice", dynamic_update_slice, "ScatterND, Slice, Concat", dynamic_update_slice_signature,
     parts_rule::each},
};

}  // namespace jax2onnx::lower
