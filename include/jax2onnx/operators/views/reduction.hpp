// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/views/attributes.hpp>

namespace jax2onnx::operators {

/// Axes, ascending and nonnegative, and keepdims of a Reduce operator.
struct reduction {
  ints axes;
  bool keep = true;
  friend bool operator==(const reduction&, const reduction&) = default;
};
/// The axes and keepdims of the reduction that makes `v`; nullopt for any other value, or if the axes are not constant
/// or none are given. Axes are an input since opset 18 (13 for ReduceSum), and were an attribute before.
inline std::optional<reduction> reduction_of(const value& v) {
  const node* n = producer(v);
  if (!n || !has_trait(*n, trait::reduction)) return std::nullopt;
  std::optional<ints> axes = n->inputs.size() > 1 ? constant_integers(input_of(v, 1)) : attribute_of<ints>(v, "axes");
  if (!axes || axes->empty()) return std::nullopt;  // no axes may mean all axes
  ints sorted = from_front(std::move(*axes), input_of(v, 0).rank());
  std::sort(sorted.begin(), sorted.end());
  return reduction{std::move(sorted), flag_of(v, "keepdims")};
}

}  // namespace jax2onnx::operators
