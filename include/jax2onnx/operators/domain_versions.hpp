// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/find.hpp>

/// The versions of the domains of a graph besides ai.onnx. They are set by graph::set_domain_version(), or follow from
/// the nodes.
namespace jax2onnx {

/// The version of a domain of ONNX by which the nodes of a graph are checked; 0 for a domain that ONNX does not have.
inline int version_in(const graph& g, std::string_view domain) {
  if (domain.empty() || domain == "ai.onnx") return g.opset();
  const int newest = domain_version(domain, g.opset());
  if (newest == 0) return 0;
  const auto stated = g.domain_versions().find(domain);
  return stated == g.domain_versions().end() ? newest : stated->second;
}

namespace detail {

/// Operators that a version of ai.onnx.ml removes, since TreeEnsemble replaces them.
inline constexpr std::string_view withdrawn_operators[] = {"TreeEnsembleClassifier", "TreeEnsembleRegressor"};
inline constexpr int withdrawing_version = 5;

}  // namespace detail

/// True if this version of a node's domain no longer has the node's operator.
inline bool is_withdrawn(const node& n, int in_version) {
  return in_version >= detail::withdrawing_version && n.domain == "ai.onnx.ml" &&
         std::ranges::find(detail::withdrawn_operators, n.op.text()) != std::end(detail::withdrawn_operators);
}

/// The version of a domain that files import: the stated version, else the oldest version that has the forms of all
/// nodes, so that operators that a newer version removes can be used. Linear in the graph.
inline int imported_version(const graph& g, std::string_view domain) {
  const auto stated = g.domain_versions().find(domain);
  if (stated != g.domain_versions().end()) return stated->second;
  const int newest = domain_version(domain, g.opset());
  int oldest = 1;
  for (std::size_t b = 0; b < g.block_count(); ++b)
    for (const node_id id : g.at(static_cast<block_id>(b)).nodes) {
      const node& n = g.at(id);
      if (n.domain != domain) continue;
      if (const op_record* record = find_record(domain, n.op, newest)) oldest = std::max(oldest, record->since);
    }
  return oldest;
}

}  // namespace jax2onnx
