// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/traits.hpp>

/// A value's node and its inputs.
namespace jax2onnx::operators {

/// The node that makes `v`; null for inputs, constants and absent values.
inline const node* producer(const value& v) {
  if (!v) return nullptr;
  const node_id n = v.record().producer;
  return n == node_id::none ? nullptr : &v.owner().at(n);
}
/// True if a node is of ai.onnx, and `such` holds for the types of all of its operands and results. Models that were
/// read may have nodes of other types; no rule may match these.
inline bool has_only(const graph& g, const node& n, bool (*such)(const tensor_type&)) {
  const auto all = [&](const std::vector<value_id>& values) {
    for (value_id v : values)
      if (v != value_id::none && !such(g.at(v).type)) return false;
    return true;
  };
  return n.domain.empty() && all(n.inputs) && all(n.outputs);
}

/// True if a node is of ai.onnx and the types of all of its operands and results are known.
inline bool has_known_types(const graph& g, const node& n) {
  if (g.knows_types()) return n.domain.empty();
  for (value_id v : n.inputs)
    if (v != value_id::none && !is_known(g.at(v).type)) return false;
  for (value_id v : n.outputs)
    if (v != value_id::none && !is_known(g.at(v).type)) return false;
  return n.domain.empty();
}

/// The node that makes `v` if it is an `op` of ai.onnx whose operands and results have known types, else null.
/// @{
inline const node* producer(const value& v, operator_name op) {
  const node* n = producer(v);
  return n && n->op == op && has_known_types(v.owner(), *n) ? n : nullptr;
}
template <std::same_as<std::string_view> Text>
const node* producer(const value& v, Text op) {
  return producer(v, operator_name::unchecked(op));
}
/// @}

/// Input `i` of the node that makes `v`; absent if the node has no such input. `v` must have a producer.
inline value input_of(const value& v, std::size_t i) {
  const node* n = producer(v);
  return i < n->inputs.size() && n->inputs[i] != value_id::none ? value(v.owner(), n->inputs[i]) : value();
}
/// All inputs of the node that makes `v`.
inline std::vector<value> inputs_of(const value& v) {
  const std::size_t count = producer(v)->inputs.size();
  std::vector<value> inputs;
  inputs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) inputs.push_back(input_of(v, i));
  return inputs;
}

/// True if the operator that makes `v` has a trait; false for inputs, constants and absent values.
inline bool has_trait(const value& v, trait t) {
  const node* n = producer(v);
  return n && has_trait(*n, t);
}

/// True if `v` is a Reshape, Squeeze, Unsqueeze or Flatten of known types, which gives the same elements in the same
/// order another shape.
inline bool is_reshape(const value& v) {
  const node* n = producer(v);
  return n && has_trait(n->op, trait::reshapes) && has_known_types(v.owner(), *n);
}

}  // namespace jax2onnx::operators
