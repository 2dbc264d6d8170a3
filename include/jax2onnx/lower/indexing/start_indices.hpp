// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

/// The index vectors of gather and scatter, and JAX's modes for indices that are out of bounds. Source:
/// jax.lax.GatherScatterMode.
namespace jax2onnx::lower {

enum class bounds_mode : std::uint8_t {
  clip,  ///< indices are clamped so that the slice is in bounds
  drop,  ///< JAX's fill_or_drop: a slice that is only partly in bounds counts as out of bounds
};

/// The mode of an equation. If the equation promises that slices are in bounds (PROMISE_IN_BOUNDS, ONE_HOT), this is
/// `of_promises`, XLA's behaviour if the promise is broken. JAX prints the promise for x[i], and programs break the
/// promise: samplers read out of bounds, and discard the results by a `where`.
inline bounds_mode bounds_mode_of(const site& s, bounds_mode of_promises) {
  const auto mode = s.param<std::string_view>("mode");
  if (mode.ends_with("CLIP") || mode == "0") return bounds_mode::clip;
  if (mode.ends_with("FILL_OR_DROP") || mode == "1") return bounds_mode::drop;
  if (mode.ends_with("PROMISE_IN_BOUNDS") || mode == "2" || mode.ends_with("ONE_HOT") || mode == "3")
    return of_promises;
  s.unsupported(detail::message("the mode {} is not supported", mode));
}

/// Index vectors of `count` components each, int32 or int64.
struct start_indices {
  value vectors;  ///< [batch..., count], or [batch...] if count is 1
  std::size_t count = 0;
  value valid;       ///< true for slices that are in bounds, bool [batch...]; absent if all are, or if they are clipped
  value given = {};  ///< the vectors before they were clamped; absent if `valid` is

  std::int64_t batch_rank() const { return vectors.rank() - (count == 1 ? 0 : 1); }
  shape batch() const { return vectors.dims().head(batch_rank()); }
  /// Component i of every vector: [batch...].
  value column(std::size_t i) const {
    return count == 1 ? vectors : pick(vectors, static_cast<std::int64_t>(i), vectors.rank() - 1);
  }
  /// Components `which` of every vector: [batch..., which.size()].
  value columns(const ints& which) const {
    if (count == 1) return unsqueeze(vectors, {vectors.rank()});
    if (which == iota_axes(static_cast<std::int64_t>(count))) return vectors;
    return gather(vectors, int64s(vectors.owner(), which), vectors.rank() - 1);
  }
};

/// For an operand with only one dimension that is not a batching dimension: the permutation of index arrays to the
/// order of the operand's dimensions. `free` is the indices' batch dimension that corresponds to no batching dimension.
inline ints align_to_operand(std::int64_t rank, const ints& operand_batch, const ints& index_batch, std::int64_t free) {
  ints perm(static_cast<std::size_t>(rank), free);
  for (std::size_t i = 0; i < operand_batch.size(); ++i)
    perm[static_cast<std::size_t>(operand_batch[i])] = index_batch[i];
  return perm;
}

/// Returns whether windows of these sizes are single elements.
inline bool all_single(const shape& sizes) {
  for (dim d : sizes)
    if (!d.is(1)) return false;
  return true;
}

/// Integers as int32 or int64.
inline value signed_index(const value& x) {
  if (x.dtype() == dtype::i32 || x.dtype() == dtype::i64) return x;
  return cast(x, dtype::i64);
}

/// Integers as a signed type that can hold index arithmetic. Unsigned types of 32 bits and more stay until they are
/// clamped, since a signed type of the same width cannot represent all of their values.
inline value clampable_index(const value& x) {
  return is_unsigned_integer(x.dtype()) && bits(x.dtype()) >= 32 ? x : signed_index(x);
}

/// States which ends of [0, limit] indices may exceed.
struct open_ends {
  bool low = false, high = false;
};
inline open_ends open_ends_of(graph& g, const interval& range, dim limit) {
  const interval_math math(g.dims());
  return {!math.at_most(0, range.low), !math.at_most(range.high, limit)};
}
/// States which ends of [0, limit] any component of index vectors, or the only component, may exceed.
inline open_ends open_ends_of(const value& indices, const shape& limits) {
  open_ends all;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const interval range = range_of_component(indices, static_cast<std::int64_t>(i));
    const open_ends one = open_ends_of(indices.owner(), range, limits[i]);
    all = {all.low || one.low, all.high || one.high};
  }
  return all;
}

/// min(max(x, 0), limit), for open ends only. There is one limit for each element of the last axis of x, or a single
/// limit for all of x.
inline value clamp_indices(value x, const shape& limits, open_ends ends) {
  graph& g = x.owner();
  const bool one_limit = item_loops::all_equal(limits, limits[0]);
  const auto limit = [&] {
    return one_limit ? dim_scalar(g, limits[0], x.dtype()) : extents_value(g, limits, x.dtype());
  };
  if (ends.low && ends.high && one_limit) return clip(x, scalar(g, x.dtype(), 0), limit());
  if (ends.low) x = maximum(x, 0);
  return ends.high ? minimum(x, limit()) : x;
}

/// True where all `count` components of a vector are true: [batch..., count] to [batch...].
inline value all_true(const value& x, std::size_t count) {
  if (count == 1) return x;
  return cast(reduce("ReduceMin", cast(x, dtype::i32), {x.rank() - 1}), dtype::boolean);
}

/// Reads `indices` ([batch..., k]). Component i is in bounds if it is in [0, limits[i]].
inline start_indices read_starts(const value& indices, const shape& limits, bounds_mode mode) {
  const value numbers = limits.size() == 1 ? squeeze(indices, {indices.rank() - 1}) : indices;
  const open_ends ends = open_ends_of(indices, limits);
  if (!ends.low && !ends.high) return {signed_index(numbers), limits.size(), {}};
  const value given = clampable_index(numbers), bounded = clamp_indices(given, limits, ends);
  start_indices out{signed_index(bounded), limits.size(), {}};
  if (mode == bounds_mode::drop) out.valid = all_true(equal(bounded, given), out.count);
  if (mode == bounds_mode::drop) out.given = given;
  return out;
}

/// The index vectors of all elements of windows: component i is bases[i] + 0, 1, …, sizes[i] - 1. The bases broadcast
/// to `batch`, and the result is [batch..., sizes..., k]. If all sizes are 1, the result is [batch..., k].
inline value index_grid(graph& g, const shape& batch, const std::vector<value>& bases, const shape& sizes) {
  const bool points = all_single(sizes);
  shape full = batch;
  if (!points) full.insert(full.end(), sizes.begin(), sizes.end());
  const std::int64_t rank = std::ssize(full);
  ints trailing;
  for (std::int64_t axis = std::ssize(batch); axis < rank; ++axis) trailing.push_back(axis);
  std::vector<value> columns;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    value at = cast(bases[i], dtype::i64);
    if (at.rank() > 0 || batch.empty()) at = unsqueeze(at, trailing);
    if (!sizes[i].is(1)) {
      shape along(sizes.size() - i, dim(1));
      along[0] = sizes[i];
      at = add(at, reshape(range(g, sizes[i]), along));
    }
    columns.push_back(unsqueeze(broadcast_to(at, full), {rank}));
  }
  return concat(columns, rank);
}

/// The index vectors of windows that begin at components `columns` of `starts`, with extents `sizes`.
inline value window_indices(const start_indices& starts, const ints& columns, const shape& sizes) {
  if (all_single(sizes)) return starts.columns(columns);
  std::vector<value> bases;
  for (std::int64_t c : columns) bases.push_back(starts.column(static_cast<std::size_t>(c)));
  return index_grid(starts.vectors.owner(), starts.batch(), bases, sizes);
}

}  // namespace jax2onnx::lower
