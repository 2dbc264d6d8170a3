// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>

#include <jax2onnx/operators/views/attributes.hpp>

namespace jax2onnx::operators {

/// Axes [begin, end).
struct axis_range {
  std::int64_t begin, end;
};
/// The axes of an operand of rank `rank` whose extents a Shape gives. Shape has had `start` and `end` since opset 15.
inline axis_range extents_read_by(const node& shape_node, std::int64_t rank) {
  const auto place = [&](std::string_view name, std::int64_t otherwise) {
    const attribute* a = shape_node.find(name);
    const auto* given = a ? std::get_if<std::int64_t>(&a->value) : nullptr;
    return std::clamp<std::int64_t>(from_front(given ? *given : otherwise, rank), 0, rank);
  };
  const std::int64_t begin = place("start", 0);
  return {begin, std::max(begin, place("end", rank))};
}

}  // namespace jax2onnx::operators
