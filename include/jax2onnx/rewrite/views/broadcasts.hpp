// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/views/move.hpp>

/// Operators broadcast their operands themselves, so that the operands need no Expand, and no leading extents of 1.
namespace jax2onnx::rewrite::detail {

/// The shape to which the inputs broadcast, without input `skipped`.
inline infer::result broadcast_shape(const std::vector<value>& inputs, std::size_t skipped = SIZE_MAX) {
  infer::result r{shape{}};
  for (std::size_t i = 0; r.ok() && i < inputs.size(); ++i)
    if (i != skipped) r = infer::broadcast(r.dims, inputs[i].dims());
  return r;
}
inline bool broadcasts_to(const std::vector<value>& inputs, const shape& dims, std::size_t skipped = SIZE_MAX) {
  const infer::result r = broadcast_shape(inputs, skipped);
  return r.ok() && r.dims == dims;
}

/// True if `v` is an Expand, or a Reshape that prepends extents of 1.
inline bool is_broadcast(const value& v) { return expand_view.is(v) || is_leading_ones_reshape(v); }

inline outcome drop_broadcast(const context&, const value& root) {
  if (!any_input(root, is_broadcast)) return {};
  std::vector<value> inputs = inputs_of(root);
  bool changed = false;
  for (value& v : inputs) {
    if (!is_broadcast(v)) continue;
    const value wide = std::exchange(v, input_of(v, 0));
    if (broadcasts_to(inputs, root.dims())) changed = true;
    else v = wide;
  }
  return changed ? outcome(with_inputs(root, inputs, root.type())) : outcome();
}

/// The scalar that all elements of a constant of at most 4 KiB equal. Absent if the elements differ, or if the constant
/// is a scalar itself. Absent for constants with a name: weights stay as they are in the graph.
inline value scalar_of(const context& c, const value& v) {
  if (!v.is_constant() || v.rank() == 0 || !v.data().in_place() || !c.g.at(v.id()).name.empty() || !splat_number(v))
    return {};
  const auto first = v.data().view().first(static_cast<std::size_t>(bits(v.dtype())) / 8);
  return c.g.constant({v.dtype(), {}}, bytes(std::string(reinterpret_cast<const char*>(first.data()), first.size())));
}

inline outcome one_number(const context& c, const value& root) {
  const std::size_t count = producer(root)->inputs.size();
  for (std::size_t i = 0; i < count; ++i) {
    const value number = scalar_of(c, input_of(root, i));
    if (!number) continue;
    std::vector<value> inputs = inputs_of(root);
    if (!broadcasts_to(inputs, root.dims(), i)) continue;
    inputs[i] = number;
    return with_inputs(root, inputs, root.type());
  }
  return {};
}

/// op(Expand(x), y) -> Expand(op(x, y)) if op(x, y) has fewer elements.
inline outcome sink_expands(const context& c, const value& root) {
  if (!any_input(root, expand_view.is)) return {};
  std::vector<value> inputs = inputs_of(root);
  value wide;
  for (value& v : inputs) {
    if (!v || !expand_view.is(v) || v.dims() != root.dims()) continue;
    if (!c.single_use(v)) return decline(expand_view.stays);
    wide = std::exchange(v, input_of(v, 0));
  }
  const infer::result narrow = wide ? broadcast_shape(inputs) : infer::result{shape{}};
  if (!wide || !narrow.ok() || narrow.dims == root.dims()) return {};
  if (narrow.dims != input_of(wide, 0).dims() && !is_static(root.dims())) return decline(computed_shape);
  return expand_view.again(wide, with_inputs(root, inputs, {root.dtype(), narrow.dims}), {}, root.dims());
}

inline bool is_expanded_number(const value& v) { return expand_view.is(v) && input_of(v, 0).rank() == 0; }

/// op(Reshape(x), Expand(c), y) -> Reshape(op(x, c, y)) if no other operand has the leading axes.
inline outcome sink_leading_ones(const context& c, const value& root) {
  const std::size_t count = producer(root)->inputs.size();
  bool single = false;
  for (std::size_t i = 0; i < count; ++i) {
    const value v = input_of(root, i);
    if (v.rank() != root.rank()) continue;
    if (!is_expanded_number(v) && !is_leading_ones_reshape(v)) return {};
    single = single || c.single_use(v);
  }
  if (!single) return {};
  std::vector<value> before = inputs_of(root);
  for (value& v : before)
    if (v.rank() == root.rank()) v = input_of(v, 0);
  const infer::result r = broadcast_shape(before);
  if (!r.ok() || r.dims.size() == root.dims().size() || !adds_leading_ones(r.dims, root.dims())) return {};
  if (!is_static_reshape(r.dims, root.dims())) return decline(computed_shape);
  return reshape(with_inputs(root, before, {root.dtype(), r.dims}), root.dims());
}

}  // namespace jax2onnx::rewrite::detail
