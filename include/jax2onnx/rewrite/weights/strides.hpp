// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/graph/dim.hpp>

/// Arrays of constant extents whose elements are stored in another order, or repeated.
namespace jax2onnx::rewrite {

/// An axis whose adjacent elements are stored `step` elements apart; 0 if they are the same element.
struct strided_axis {
  std::uint64_t extent = 1, step = 0;
  friend bool operator==(const strided_axis&, const strided_axis&) = default;
};
/// The axes of an array, the outermost first. Axes of extent 1 are left out.
using strided_axes = std::vector<strided_axis>;

/// The product of constant extents; nullopt if an extent is not known, or is 0.
inline std::optional<std::uint64_t> static_count(const shape& dims) {
  std::uint64_t count = 1;
  for (const dim d : dims) {
    if (!d.is_constant() || d.extent() <= 0) return std::nullopt;
    count *= static_cast<std::uint64_t>(d.extent());
  }
  return count;
}

inline std::uint64_t count_of(std::span<const strided_axis> axes) {
  std::uint64_t count = 1;
  for (const strided_axis& a : axes) count *= a.extent;
  return count;
}

/// The axes of an array with the constant extents `dims`, stored row by row and broadcast to `to`.
inline strided_axes row_major(const shape& dims, const shape& to) {
  strided_axes axes;
  std::uint64_t step = 1;
  for (std::size_t back = 1; back <= to.size(); ++back) {
    const auto extent = static_cast<std::uint64_t>(to[to.size() - back].extent());
    const auto own = back <= dims.size() ? static_cast<std::uint64_t>(dims[dims.size() - back].extent()) : 1;
    if (extent != 1) axes.insert(axes.begin(), {extent, own == 1 ? 0 : step});
    step *= own;
  }
  return axes;
}

/// Divides the axes of two arrays with equally many elements until both have the same extents. Returns false if one
/// extent does not divide another evenly.
inline bool align(strided_axes& a, strided_axes& b) {
  const auto split = [](strided_axes& axes, std::size_t i, std::uint64_t inner) {
    const strided_axis whole = axes[i];
    axes[i] = {whole.extent / inner, whole.step * inner};
    axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(i) + 1, {inner, whole.step});
  };
  std::size_t i = a.size(), k = b.size();
  while (i > 0 && k > 0) {
    const std::uint64_t x = a[i - 1].extent, y = b[k - 1].extent;
    if (x % y != 0 && y % x != 0) return false;
    if (x > y) split(a, --i, y), --k;
    else if (y > x) split(b, --k, x), --i;
    else --i, --k;
    if (x > y) ++i;
    if (y > x) ++k;
  }
  return i == 0 && k == 0;
}

/// Divides axes so that the first axes together have `outer` elements. Returns the number of these axes; nullopt if
/// there is no such division.
inline std::optional<std::size_t> cut(strided_axes& axes, std::uint64_t outer) {
  strided_axes both;
  for (const std::uint64_t part : {outer, count_of(axes) / outer})
    if (part != 1) both.push_back({part, 0});
  if (!align(axes, both)) return std::nullopt;
  std::size_t n = 0;
  for (std::uint64_t count = 1; count < outer; ++n) count *= axes[n].extent;
  return n;
}

/// The axes, which subdivide the axes of `dims`, permuted by `perm`; nullopt if one of them belongs to several axes of
/// `dims`.
inline std::optional<strided_axes> transposed(const strided_axes& axes, const shape& dims,
                                              std::span<const std::int64_t> perm) {
  std::vector<strided_axes> groups(dims.size());
  std::size_t at = 0;
  for (std::size_t d = 0; d < dims.size(); ++d)
    for (std::uint64_t count = 1; count < static_cast<std::uint64_t>(dims[d].extent()); ++at) {
      if (at == axes.size()) return std::nullopt;
      groups[d].push_back(axes[at]);
      count *= axes[at].extent;
    }
  strided_axes out;
  for (const std::int64_t d : perm) {
    const strided_axes& group = groups[static_cast<std::size_t>(d)];
    out.insert(out.end(), group.begin(), group.end());
  }
  return out;
}

/// The axes of the same elements, with adjacent axes joined if one axis can replace them.
inline strided_axes joined(std::span<const strided_axis> axes) {
  strided_axes out;
  for (const strided_axis& a : axes) {
    const bool inner = !out.empty() && out.back().step == a.step * a.extent;
    if (inner) out.back() = {out.back().extent * a.extent, a.step};
    else out.push_back(a);
  }
  return out;
}

/// True if the elements are stored row by row.
inline bool is_row_major(std::span<const strided_axis> axes) {
  const strided_axes all = joined(axes);
  return all.empty() || (all.size() == 1 && all.front().step == 1);
}

/// The position in storage of the element with index `at` in row-major order.
inline std::uint64_t place_of(std::span<const strided_axis> axes, std::uint64_t at) {
  std::uint64_t place = 0;
  for (std::size_t i = axes.size(); i-- > 0;) {
    place += at % axes[i].extent * axes[i].step;
    at /= axes[i].extent;
  }
  return place;
}

}  // namespace jax2onnx::rewrite
