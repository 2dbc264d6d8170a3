#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/producer.hpp>

namespace jax2onnx::operators {

/// Axes, ascending and nonnegative, and keepdims of a Reduce operator.
struct reduction {
  ints axes;
  bool keep = true;
  friend bool operator==(const reduction&, const reduction&) = default;
};
/// nullopt where `v` is no reduction over constant axes. Axes are an input since opset 18 (13 for ReduceSum), before an
/// attribute.
inline std::optional<reduction> reduction_of(const value& v) {
  const node* n = producer(v);
  if (!n || !has_trait(*n, trait::reduction)) return std::nullopt;
  std::optional<ints> axes = n->inputs.size() > 1 ? constant_integers(input_of(v, 1)) : attribute_of<ints>(v, "axes");
  if (!axes || axes->empty()) return std::nullopt;  // none may stand for all
  const std::int64_t rank = input_of(v, 0).rank();
  for (std::int64_t& a : *axes) a += a < 0 ? rank : 0;
  std::sort(axes->begin(), axes->end());
  return reduction{std::move(*axes), attribute_of<std::int64_t>(v, "keepdims").value_or(1) != 0};
}

}  // namespace jax2onnx::operators
