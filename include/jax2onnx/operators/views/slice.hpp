// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/views/attributes.hpp>

namespace jax2onnx::operators {

/// The elements that a Slice takes along an axis: first, first + step, first + 2 step, ..., `count` of them.
struct sliced_axis {
  std::int64_t axis;
  std::int64_t first;  ///< the index from the front; up to the extent if the slice is empty
  std::int64_t step;   ///< the step, which is not 0
  dim count;           ///< the extent of the result
};

/// The axes that a Slice names, counted from the front; nullopt for any other value, or if the axes are not constant.
inline std::optional<ints> slice_axes_of(const value& v) {
  if (!producer(v, "Slice")) return std::nullopt;
  const value starts = input_of(v, 1), axes = input_of(v, 3);
  if (!axes) return starts.extent(0).is_constant() ? std::optional(iota_axes(starts.extent(0).extent())) : std::nullopt;
  std::optional<ints> named = constant_integers(axes);
  return named ? std::optional(from_front(std::move(*named), v.rank())) : std::nullopt;
}

namespace operators_detail {

/// The index at which a Slice with a step begins along an axis of extent `extent`; nullopt if the index is not known.
constexpr std::optional<std::int64_t> slice_begin(std::int64_t start, std::int64_t step, dim extent) {
  if (!extent.is_constant()) return start < 0 ? std::nullopt : std::optional(start);
  const std::int64_t n = extent.extent(), last = std::max<std::int64_t>(step < 0 ? n - 1 : n, 0);
  return std::clamp<std::int64_t>(from_front(start, n), 0, last);
}

}  // namespace operators_detail

/// The steps of a Slice, for each axis that it names; nullopt for any other value, or if the steps are not constant.
inline std::optional<ints> slice_steps_of(const value& v) {
  const std::optional<ints> axes = slice_axes_of(v);
  const value given = axes ? input_of(v, 4) : value();
  return axes && !given ? ints(axes->size(), 1) : constant_integers(given);
}

/// The elements that a Slice takes along each axis that it names; nullopt for any other value, or if an axis, the first
/// element or a step is not known.
inline std::optional<std::vector<sliced_axis>> slice_of(const value& v) {
  const std::optional<ints> axes = slice_axes_of(v), steps = slice_steps_of(v);
  const std::optional<ints> starts = axes && steps ? constant_integers(input_of(v, 1)) : std::nullopt;
  if (!starts) return std::nullopt;
  std::vector<sliced_axis> out;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const std::int64_t axis = (*axes)[i], step = (*steps)[i];
    const auto first = operators_detail::slice_begin((*starts)[i], step, input_of(v, 0).extent(axis));
    if (!first || step == 0) return std::nullopt;
    out.push_back({axis, *first, step, v.extent(axis)});
  }
  return out;
}

/// The elements that a Slice along one axis takes; nullopt for any other value, or if the first element or the step is
/// not known.
inline std::optional<sliced_axis> single_slice_of(const value& v) {
  const auto all = slice_of(v);
  return all && all->size() == 1 ? std::optional(all->front()) : std::nullopt;
}

}  // namespace jax2onnx::operators
