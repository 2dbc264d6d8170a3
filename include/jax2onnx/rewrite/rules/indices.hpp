#pragma once

#include <cstdint>
#include <optional>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Adjustments of indices that ONNX does not need.
namespace jax2onnx::rewrite::detail {

/// The number of elements that JAX's indexing counts negative indices from, and the index as it was written.
struct wrapped_index {
  value i;
  double extent = 0;
};
/// Where(i < 0, i + n, i)
inline std::optional<wrapped_index> match_wrapped(const value& v) {
  wrapped_index w;
  const auto moved = [&](const value& sum) { return match(sum, m_commutes("Add", m_same(w.i), m_scalar(w.extent))); };
  if (!match(v, m_op("Where", m_op("Less", m_value(w.i), m_number(0)), moved, m_same(w.i)))) return std::nullopt;
  return w.i.dims() == v.dims() ? std::optional(w) : std::nullopt;
}
/// Clip(Where(i < 0, i + n, i), 0, n - 1)
inline std::optional<wrapped_index> match_clamped(const value& v) {
  value wrapped;
  double last = 0;
  if (!match(v, m_op("Clip", m_value(wrapped), m_number(0), m_scalar(last)))) return std::nullopt;
  const std::optional<wrapped_index> w = match_wrapped(wrapped);
  return w && w->extent == last + 1 ? w : std::nullopt;
}
/// Clip(i, -n, n - 1)
inline value clamped(const wrapped_index& w) {
  graph& g = w.i.owner();
  const auto n = static_cast<std::int64_t>(w.extent);
  return clip(w.i, scalar(g, w.i.dtype(), -n), scalar(g, w.i.dtype(), n - 1));
}

/// ONNX, like JAX's arrays, counts negative indices from the end.
inline outcome negative_indices(const context& c, const value& root) {
  const value x = input_of(root, 0), index = input_of(root, 1);
  const std::int64_t axis = attribute_of<std::int64_t>(root, "axis").value_or(0);
  const std::optional<wrapped_index> clamp = match_clamped(index), w = clamp ? clamp : match_wrapped(index);
  if (!w) return {};
  const dim extent = x.extent(axis + (axis < 0 ? x.rank() : 0));
  if (!extent.is_constant() || static_cast<double>(extent.extent()) != w->extent)
    return decline("the number added is not the extent");
  return c.g.emit(producer(root)->op, {x, clamp ? clamped(*w) : w->i}, root.type(), {{"axis", axis}});
}

/// An index is in bounds after it was wrapped if it is in [-n, n - 1] before.
inline outcome negative_bounds(const context&, const value& root) {
  const value index = input_of(root, 0);
  const std::optional<wrapped_index> w = match_clamped(index);
  if (!w || input_of(root, 1) != input_of(index, 0)) return {};
  return equal(clamped(*w), w->i);
}

inline constexpr rule index_rules[] = {
    {"negative-indices",
     "op(x, j, axis) -> op(x, i, axis), op(x, Clip(j, 0, n - 1), axis) -> op(x, Clip(i, -n, n - 1), axis), "
     "j = Where(i < 0, i + n, i), n the extent of x along the axis",
     "op is Gather or GatherElements; a constant extent", ops<"Gather", "GatherElements">, negative_indices},
    {"negative-bounds", "Equal(Clip(j, 0, n - 1), j) -> Equal(Clip(i, -n, n - 1), i), j = Where(i < 0, i + n, i)", "",
     ops<"Equal">, negative_bounds},
};

}  // namespace jax2onnx::rewrite::detail
