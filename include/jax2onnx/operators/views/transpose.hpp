// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/operators/views/attributes.hpp>

namespace jax2onnx::operators {

/// The permutation of a Transpose, which reverses the axes if it states none; nullopt for any other value.
inline std::optional<ints> transpose_of(const value& v) {
  if (!producer(v, "Transpose")) return std::nullopt;
  std::optional<ints> perm = attribute_of<ints>(v, "perm");
  if (perm) return perm;
  ints reversed = iota_axes(v.rank());
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

}  // namespace jax2onnx::operators
