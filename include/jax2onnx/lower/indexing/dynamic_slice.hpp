#pragma once

#include <algorithm>
#include <vector>

#include <jax2onnx/lower/indexing/start_indices.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Slices at computed starts. JAX moves a start so that the slice is in bounds. Source: jax.lax.dynamic_slice.
namespace jax2onnx::lower {

/// The start along one axis: a number where the text says it, else an int32 or int64 scalar in bounds.
struct slice_start {
  std::int64_t axis = 0;
  dim size;
  dim known;  ///< meaningful where `computed` is absent
  value computed;
};

/// Starts of the axes that are not taken whole; operand `first` of the equation is the start along axis 0.
inline std::vector<slice_start> slice_starts(const site& s, std::size_t first, const shape& whole, const shape& sizes) {
  std::vector<slice_start> out;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == whole[i]) continue;
    slice_start start{static_cast<std::int64_t>(i), sizes[i], 0, {}};
    const dim limit = s.g.dims().sub(whole[i], sizes[i]);
    const value at = signed_index(s.in(first + i));
    const auto number = constant_integers(at);
    if (number && (limit.is_constant() || (*number)[0] <= 0)) {
      const std::int64_t n = std::max<std::int64_t>((*number)[0], 0);
      start.known = limit.is_constant() ? std::min(n, limit.extent()) : n;
    } else {
      start.computed = clamp_indices(at, {limit});
    }
    out.push_back(start);
  }
  return out;
}

/// The starts, as an int32 or int64 vector.
inline value starts_vector(graph& g, const std::vector<slice_start>& starts) {
  const bool narrow =
      std::ranges::all_of(starts, [](const slice_start& s) { return s.computed && s.computed.dtype() == dtype::i32; });
  std::vector<value> numbers;
  for (const slice_start& s : starts)
    numbers.push_back(s.computed ? reshape(cast(s.computed, narrow ? dtype::i32 : dtype::i64), {1})
                                 : dim_value(g, s.known));
  return concat(numbers, 0);
}

/// x[start : start + size] along the axes of `starts`.
inline value slice_at(const value& x, const std::vector<slice_start>& starts) {
  graph& g = x.owner();
  ints axes;
  shape sizes, out = x.dims();
  for (const slice_start& s : starts) {
    axes.push_back(s.axis);
    sizes.push_back(s.size);
    out[static_cast<std::size_t>(s.axis)] = s.size;
  }
  if (starts.empty()) return x;
  const bool known = std::ranges::none_of(starts, [](const slice_start& s) { return bool(s.computed); });
  if (known) {
    shape begins, ends;
    for (const slice_start& s : starts) {
      begins.push_back(s.known);
      ends.push_back(g.dims().add(s.known, s.size));
    }
    return slice(x, axes, begins, ends, ints(axes.size(), 1));
  }
  const value begin = starts_vector(g, starts);
  if (starts.size() == 1 && starts[0].size.is(1)) return jax2onnx::gather(x, begin, axes[0]);
  const value end = add(begin, extents_value(g, sizes, begin.dtype()));
  return g.emit("Slice",
                {x, begin, end, array(g, begin.dtype(), {std::ssize(axes)}, std::span<const std::int64_t>(axes))},
                {x.dtype(), out});
}

inline jax_values dynamic_slice(const site& s) {
  return {slice_at(s.in(0), slice_starts(s, 1, s.in(0).dims(), s.out_dims()))};
}

/// x[.. start : start + size ..] = update along the axes of `starts`: what is before, the update, what is after; along
/// further axes inside that slice.
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

/// x with `update` written over the slice at `starts`.
inline value update_at(const value& x, const value& update, const std::vector<slice_start>& starts) {
  // One element along leading axes: a ScatterND can work in place.
  bool leading = !starts.empty();
  for (std::size_t i = 0; i < starts.size(); ++i)
    leading = leading && starts[i].axis == static_cast<std::int64_t>(i) && starts[i].size.is(1) && starts[i].computed;
  if (!leading) return splice(x, update, starts);
  shape row{1};
  row.append(x.dims().tail(std::ssize(starts)));
  return scatter_nd(x, unsqueeze(starts_vector(x.owner(), starts), {0}), reshape(update, row));
}

/// dynamic_update_slice operand update start…
inline jax_values dynamic_update_slice(const site& s) {
  const value x = s.in(0), update = s.in(1);
  return {update_at(x, update, slice_starts(s, 2, x.dims(), update.dims()))};
}

inline constexpr lowering dynamic_slice_rows[] = {
    {"dynamic_slice", dynamic_slice, "Slice, Gather", parts_rule::each, ignores{"slice_sizes"}},
    {"dynamic_update_slice", dynamic_update_slice, "ScatterND, Slice, Concat", parts_rule::each},
};

}  // namespace jax2onnx::lower
