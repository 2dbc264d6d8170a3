#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// How a reshape changes extents.
namespace jax2onnx::rewrite {

/// Whether a Reshape to `target` needs no extents computed at run time.
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

/// Whether `wide` is `narrow` behind any number of extents of 1.
inline bool adds_leading_ones(const shape& narrow, const shape& wide) {
  if (wide.size() < narrow.size()) return false;
  const std::size_t extra = wide.size() - narrow.size();
  for (std::size_t i = 0; i < extra; ++i)
    if (!wide[i].is(1)) return false;
  return std::equal(narrow.begin(), narrow.end(), wide.begin() + static_cast<std::ptrdiff_t>(extra));
}
/// Whether `v` is a reshape that only prepends extents of 1, which a broadcasting operator does not need.
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
/// Whether two shapes are equal except for extents of 1.
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
/// where the extent is 1.
inline std::int64_t axis_before_ones(const shape& before, const shape& after, std::int64_t axis) {
  if (after[static_cast<std::size_t>(axis)].is(1)) return -1;
  std::size_t earlier = 0;  // extents other than 1 before the axis
  for (std::size_t i = 0; i < static_cast<std::size_t>(axis); ++i) earlier += after[i].is(1) ? 0 : 1;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!before[i].is(1) && earlier-- == 0) return static_cast<std::int64_t>(i);
  return -1;
}

/// Whether `v` is a reshape that leaves the last `count` axes alone.
inline bool keeps_last(const value& v, std::size_t count) {
  if (!is_reshape(v)) return false;
  const shape &before = input_of(v, 0).dims(), &after = v.dims();
  return before.size() >= count && after.size() >= count &&
         std::equal(after.end() - static_cast<std::ptrdiff_t>(count), after.end(),
                    before.end() - static_cast<std::ptrdiff_t>(count));
}

}  // namespace jax2onnx::rewrite
