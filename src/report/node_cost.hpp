// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx::detail {

/// The cost of one run of a node, by formula. Symbols count as 1.
struct node_cost {
  std::optional<double> flops;  ///< the operations; nullopt if unknown, for example because of an unknown extent
  std::optional<double> bytes;  ///< the bytes of the node's operands and results; nullopt if an extent is unknown
  bool symbolic = false;        ///< true if an extent depends on a symbol
};

/// The cost of a node without the nodes of its bodies. docs/report.md has the formulas.
node_cost cost_of(const graph& g, const node& n);

}  // namespace jax2onnx::detail
