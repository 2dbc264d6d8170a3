// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx::detail {

/// Returns whether the form of an operator allows the operands, attributes and types of a node.
inline bool has_form(const graph& g, const node& n, const op_record& form) {
  const auto have = [&](std::span<const formal> formals, const std::vector<value_id>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == value_id::none) continue;
      const formal* const f = op_record::at(formals, i);
      if (!f || !form.constraints[f->type].allowed.has(g.at(values[i]).type)) return false;
    }
    return true;
  };
  return have(form.inputs, n.inputs) && have(form.outputs, n.outputs) &&
         item_loops::all_of(n.attributes, [&](const attribute& a) { return form.find(a.name) != nullptr; });
}

/// Returns whether `opset` has, for every node with a standard operator, a form of the operator that allows the node.
/// Does not notice a form that computes something else from the same operands and attributes: the caller ensures that
/// there is no such form.
inline bool fits_opset(const graph& g, int opset) {
  for (std::size_t b = 0; b < g.block_count(); ++b)
    for (node_id id : g.at(static_cast<block_id>(b)).nodes) {
      const node& n = g.at(id);
      if (!n.domain.empty()) continue;
      const op_record* const own = find_record(n.domain, n.op.text(), g.opset());
      if (!own || own->since <= opset) continue;  // the form is the same in both opsets
      const op_record* const form = find_record(n.domain, n.op.text(), opset);
      if (!form || !has_form(g, n, *form)) return false;
    }
  return true;
}

}  // namespace jax2onnx::detail
