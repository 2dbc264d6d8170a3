// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <jax2onnx/operators/views/attributes.hpp>

namespace jax2onnx::operators {

/// A part of a value: the elements from `first` on along an axis.
struct split_part {
  value x;
  std::int64_t axis, first;
};
/// The part of the operand that `v`, an output of a Split, holds; nullopt for any other value, or if the outputs before
/// it are absent or have symbolic extents.
inline std::optional<split_part> split_of(const value& v) {
  const node* n = producer(v, "Split");
  if (!n) return std::nullopt;
  split_part part{input_of(v, 0), axis_of(v), 0};
  for (const value_id id : n->outputs) {
    if (id == v.id()) return part;
    if (id == value_id::none) return std::nullopt;
    const dim before = v.owner().at(id).type.dims[static_cast<std::size_t>(part.axis)];
    if (!before.is_constant()) return std::nullopt;
    part.first += before.extent();
  }
  return std::nullopt;
}

}  // namespace jax2onnx::operators
