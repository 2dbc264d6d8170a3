// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Arithmetic on lists of axes.
namespace jax2onnx {

/// 0, 1, …, n - 1
inline ints iota_axes(std::int64_t n) {
  ints out(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = i;
  return out;
}
/// The axes below `rank` that are in none of the lists, in order.
template <class... Lists>
ints complement(std::int64_t rank, const Lists&... lists) {
  ints out;
  for (std::int64_t i = 0; i < rank; ++i)
    if ((... && !item_loops::contains(lists, i))) out.push_back(i);
  return out;
}
/// The index of `axis` in the list; nullopt if the list does not contain it.
inline std::optional<std::size_t> axis_position(const ints& list, std::int64_t axis) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i] == axis) return i;
  return std::nullopt;
}
/// True if `list` contains `axis`.
inline bool has_axis(const ints& list, std::int64_t axis) { return axis_position(list, axis).has_value(); }
/// Concatenates the lists.
template <class... Lists>
ints joined_axes(ints first, const Lists&... rest) {
  (first.insert(first.end(), rest.begin(), rest.end()), ...);
  return first;
}
/// The permutation q with q[perm[i]] = i.
inline ints inverse_permutation(const ints& perm) {
  ints out(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i) out[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
  return out;
}
/// The extents of `s` at `axes`.
inline shape extents_at(const shape& s, const ints& axes) {
  shape out;
  for (std::int64_t a : axes) out.push_back(s[static_cast<std::size_t>(a)]);
  return out;
}

}  // namespace jax2onnx
