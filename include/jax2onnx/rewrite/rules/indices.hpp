#pragma once

#include <cstdint>
#include <string_view>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// What indices need not be told in ONNX.
namespace jax2onnx::rewrite {

// Pattern: Gather(x, Where(i < 0, i + n, i)) -> Gather(x, i)   where n is x's extent: ONNX, too, counts -1 from the end
inline outcome negative_indices(const context& c, const value& root) {
  const value x = operand(root, 0), wrapped = operand(root, 1);
  const std::int64_t axis = attribute_of<std::int64_t>(root, "axis").value_or(0);
  value i;
  double n = 0;
  const auto moved = m_commutes<"Add">(m_same(i), m_scalar(n));
  if (!match(wrapped, m_op<"Where">(m_op<"Less">(m_value(i), m_number(0)), moved, m_same(i)))) return {};
  if (i.dims() != wrapped.dims()) return {};
  const dim extent = x.extent(axis + (axis < 0 ? x.rank() : 0));
  if (!extent.is_constant() || static_cast<double>(extent.extent()) != n)
    return decline("the extent is not what is added");
  return c.g.emit(producer(root)->op, {x, i}, root.type(), {{"axis", axis}});
}

inline constexpr rule index_rules[] = {
    {"negative-indices", "Gather(x, where(i < 0, i + n, i)) -> Gather(x, i), n the extent of x",
     ops<"Gather", "GatherElements">, negative_indices},
};

}  // namespace jax2onnx::rewrite
