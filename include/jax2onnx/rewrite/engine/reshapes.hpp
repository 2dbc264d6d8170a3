// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/rules/reduction.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// The change that a reshape makes to extents.
namespace jax2onnx::rewrite {

/// True if a Reshape to `target` needs no extents computed at run time. False for an extent of 0, which would tell
/// Reshape to copy an extent of its operand.
inline bool is_static_reshape(const shape& from, const shape& target) {
  int unknown = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const bool copied = i < from.size() && target[i] == from[i];
    if (!target[i].is_constant() && !copied && ++unknown > 1) return false;
    if (target[i].is(0)) return false;
  }
  return true;
}
inline bool is_static_reshape(const value& x, const shape& target) { return is_static_reshape(x.dims(), target); }

/// True if `wide` is `narrow` with any number of extents of 1 prepended.
inline bool adds_leading_ones(const shape& narrow, const shape& wide) {
  if (wide.size() < narrow.size()) return false;
  const std::size_t extra = wide.size() - narrow.size();
  for (std::size_t i = 0; i < extra; ++i)
    if (!wide[i].is(1)) return false;
  return std::equal(narrow.begin(), narrow.end(), wide.begin() + static_cast<std::ptrdiff_t>(extra));
}
/// True if `v` is a reshape that only prepends extents of 1, which a broadcasting operator does not need.
inline bool is_leading_ones_reshape(const value& v) {
  return is_reshape(v) && adds_leading_ones(input_of(v, 0).dims(), v.dims());
}

/// The extents other than 1.
inline shape without_ones(const shape& s) {
  shape kept;
  for (const dim d : s)
    if (!d.is(1)) kept.push_back(d);
  return kept;
}
/// True if two shapes are equal except for extents of 1.
inline bool moves_only_ones(const shape& before, const shape& after) {
  std::size_t i = 0, j = 0;
  while (true) {
    while (i < before.size() && before[i].is(1)) ++i;
    while (j < after.size() && after[j].is(1)) ++j;
    if (i == before.size() || j == after.size()) return i == before.size() && j == after.size();
    if (before[i++] != after[j++]) return false;
  }
}
/// For shapes that are equal except for extents of 1: the axis of `before` that axis `axis` of `after` comes from; -1
/// if the extent is 1.
inline std::int64_t axis_before_ones(const shape& before, const shape& after, std::int64_t axis) {
  if (after[static_cast<std::size_t>(axis)].is(1)) return -1;
  std::size_t earlier = 0;  // extents other than 1 before the axis
  for (std::size_t i = 0; i < static_cast<std::size_t>(axis); ++i) earlier += after[i].is(1) ? 0 : 1;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!before[i].is(1) && earlier-- == 0) return static_cast<std::int64_t>(i);
  return -1;
}

/// True if `v` is a reshape that leaves the last `count` axes alone.
inline bool keeps_last(const value& v, std::size_t count) {
  if (!is_reshape(v)) return false;
  const shape &before = input_of(v, 0).dims(), &after = v.dims();
  return before.size() >= count && after.size() >= count &&
         std::equal(after.end() - static_cast<std::ptrdiff_t>(count), after.end(),
                    before.end() - static_cast<std::ptrdiff_t>(count));
}

/// True if the axes are the last ones of x, in order; false if there are no axes.
inline bool are_trailing(const ints& axes, const value& x) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[axes.size() - 1 - i] != x.rank() - 1 - static_cast<std::int64_t>(i)) return false;
  return !axes.empty();
}

/// True if `statistic`, a reduction of x over `axes`, is broadcast back to its own inputs. False for the means of the
/// rows of a square matrix if they are subtracted from the columns.
inline bool is_in_place(const value& statistic, const value& x, const ints& axes) {
  shape given = statistic.dims();
  const shape kept = infer::reduce(x.dims(), axes, true).dims;
  if (given.size() > kept.size()) return false;
  given.insert(given.begin(), kept.size() - given.size(), dim(1));
  return given == kept;
}

/// True if a Transpose of a value of these extents moves only extents of 1: a Reshape does the same without moving
/// data.
inline bool moves_no_data(const shape& dims, const ints& perm) {
  ints solid;
  for (const std::int64_t axis : perm)
    if (!dims[static_cast<std::size_t>(axis)].is(1)) solid.push_back(axis);
  return std::is_sorted(solid.begin(), solid.end());
}

/// The permutation of a Transpose by `inner` and then by `outer`.
inline ints joined_permutation(const ints& inner, ints outer) {
  for (std::int64_t& axis : outer) axis = inner[static_cast<std::size_t>(axis)];
  return outer;
}

/// True if two shapes of the same rank, which is at least 2, have the same extents except for the last two.
inline bool same_batch(const shape& a, const shape& b) {
  return a.size() == b.size() && a.size() >= 2 && std::equal(a.begin(), a.end() - 2, b.begin());
}

/// True if `a` and `b` merge the same leading axes of their operands, and keep the last two.
inline bool merge_alike(const value& a, const value& b) {
  if (a.rank() != b.rank() || a.rank() < 3 || !keeps_last(a, 2) || !keeps_last(b, 2)) return false;
  const value x = input_of(a, 0), y = input_of(b, 0);
  return x.rank() > a.rank() && same_batch(x.dims(), y.dims()) && same_batch(a.dims(), b.dims());
}

/// True if `parameter` has one number for each index along `axis` of x, and is broadcast along the other axes.
inline bool lies_along(const value& parameter, const value& x, std::int64_t axis) {
  const std::int64_t shift = x.rank() - parameter.rank();
  if (shift > axis || shift < 0) return false;
  for (std::int64_t d = 0; d < parameter.rank(); ++d)
    if (d + shift == axis ? parameter.extent(d) != x.extent(axis) : !parameter.extent(d).is(1)) return false;
  return true;
}

/// The axis of x along which `parameter` has one number per index: the last one, or the second; -1 if neither.
inline std::int64_t channels_along(const value& parameter, const value& x) {
  if (lies_along(parameter, x, x.rank() - 1)) return x.rank() - 1;
  return x.rank() > 1 && lies_along(parameter, x, 1) ? 1 : -1;
}

}  // namespace jax2onnx::rewrite
