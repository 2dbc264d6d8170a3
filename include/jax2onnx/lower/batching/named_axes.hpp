// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>

/// Named axes of a mesh of devices (shard_map), or of a map over devices (pmap). Source: jax.shard_map,
/// jax.lax.axis_index.
namespace jax2onnx::lower::batching {

/// A set of named axes: bit i is axis i of a named_axes.
using axis_set = std::uint32_t;

/// Returns whether a set has axis i.
constexpr bool has(axis_set s, std::size_t i) { return s >> i & 1; }
/// The number of axes in a set.
constexpr std::int64_t count(axis_set s) { return std::popcount(s); }
/// The position of axis i among the axes of a set, in ascending order.
constexpr std::int64_t place(axis_set s, std::size_t i) { return count(s & ((axis_set{1} << i) - 1)); }

/// The named axes of a program and their sizes, in the order in which they were introduced. Axes of one device have no
/// index: nothing varies along them.
class named_axes {
 public:
  static constexpr std::size_t most = 32;

  /// Introduces an axis, or finds the axis of this name. Returns the index of the axis; nullopt for an axis of one
  /// device. Throws limit_error for more than `most` axes.
  std::optional<std::size_t> add(std::string_view name, std::int64_t size) {
    if (const auto known = find(name)) return known;
    if (size == 1) trivial_.push_back(name);
    if (size == 1) return std::nullopt;
    if (names_.size() == most) throw limit_error(detail::message("a program has over {} named axes", most));
    names_.push_back(name);
    sizes_.push_back(size);
    return names_.size() - 1;
  }
  /// Divides axis i into two unnamed axes: an axis of `groups` groups, and an axis of their members. Returns the index
  /// of the axis of groups; the axis of members is the next one. Throws limit_error for more than `most` axes.
  std::size_t divide(std::size_t i, std::int64_t groups) {
    for (const division& d : divisions_)
      if (d.axis == i && d.groups == groups) return d.first;
    if (names_.size() + 2 > most) throw limit_error(detail::message("a program has over {} named axes", most));
    divisions_.push_back({i, groups, names_.size()});
    names_.insert(names_.end(), 2, std::string_view());
    sizes_.insert(sizes_.end(), {groups, sizes_[i] / groups});
    return divisions_.back().first;
  }
  /// The index of an axis of several devices; nullopt for any other name.
  std::optional<std::size_t> find(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name && !name.empty()) return i;
    return std::nullopt;
  }
  /// Returns whether an axis of one device has this name.
  bool is_trivial(std::string_view name) const {
    for (std::string_view t : trivial_)
      if (t == name) return true;
    return false;
  }
  /// The number of devices along axis i.
  std::int64_t size(std::size_t i) const { return sizes_[i]; }
  /// The axes of a set in ascending order.
  static std::vector<std::size_t> list(axis_set s) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < most; ++i)
      if (has(s, i)) out.push_back(i);
    return out;
  }
  /// The sizes of the axes in a set: the leading extents of a value that varies along them.
  shape extents(axis_set s) const {
    shape out;
    for (std::size_t i : list(s)) out.push_back(sizes_[i]);
    return out;
  }
  /// The number of devices along all axes of a set.
  std::int64_t devices(axis_set s) const {
    std::int64_t n = 1;
    for (std::size_t i : list(s)) n *= sizes_[i];
    return n;
  }

 private:
  struct division {
    std::size_t axis;
    std::int64_t groups;
    std::size_t first;
  };

  std::vector<division> divisions_;
  std::vector<std::string_view> names_, trivial_;
  std::vector<std::int64_t> sizes_;
};

}  // namespace jax2onnx::lower::batching
