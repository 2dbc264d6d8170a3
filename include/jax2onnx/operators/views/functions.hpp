// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/operators/traits.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Tests of nodes, for rewrites that move, repeat or add computations.
namespace jax2onnx::operators {

/// True if a node of ai.onnx with operands and without blocks always gives the same results for the same operands;
/// false for any other node.
inline bool is_function(const graph& g, const node& n) {
  const auto is_body = [](const attribute& a) { return std::holds_alternative<block_id>(a.value); };
  if (!n.domain.empty() || n.inputs.empty() || item_loops::any_of(n.attributes, is_body)) return false;
  const op_record* record = find_record({}, n.op, g.opset());
  return record && record->deterministic;
}

/// True if a node can fail when the model runs: indices may be out of range, integers divided by 0.
inline bool can_fail(const graph& g, const node& n) {
  if (has_trait(n, trait::reads_places) || has_trait(n, trait::writes_places)) return true;
  return has_trait(n, trait::divides) && !is_floating(g.at(n.inputs[0]).type.type);
}

}  // namespace jax2onnx::operators
