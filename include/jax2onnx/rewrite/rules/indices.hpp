#pragma once

#include <cstdint>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Adjustments of indices that ONNX does not need.
namespace jax2onnx::rewrite::detail {

/// ONNX, like JAX's arrays, counts negative indices from the end.
inline outcome negative_indices(const context& c, const value& root) {
  const value x = input_of(root, 0), wrapped = input_of(root, 1);
  const std::int64_t axis = attribute_of<std::int64_t>(root, "axis").value_or(0);
  value i;
  double n = 0;
  const auto moved = [&](const value& v) { return match(v, m_commutes("Add", m_same(i), m_scalar(n))); };
  if (!match(wrapped, m_op("Where", m_op("Less", m_value(i), m_number(0)), moved, m_same(i)))) return {};
  if (i.dims() != wrapped.dims()) return {};
  const dim extent = x.extent(axis + (axis < 0 ? x.rank() : 0));
  if (!extent.is_constant() || static_cast<double>(extent.extent()) != n)
    return decline("the number added is not the extent");
  return c.g.emit(producer(root)->op, {x, i}, root.type(), {{"axis", axis}});
}

inline constexpr rule index_rules[] = {
    {"negative-indices", "op(x, Where(i < 0, i + n, i), axis) -> op(x, i, axis), n the extent of x along the axis",
     "op is Gather or GatherElements; a constant extent", ops<"Gather", "GatherElements">, negative_indices},
};

}  // namespace jax2onnx::rewrite::detail
