// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// The rewrites that were applied, and the reasons why other rewrites were not applied. The names and reasons are
/// literals.
struct rewrite_report {
  struct entry {
    std::string_view rule;                  ///< a name of rewrite_names()
    std::size_t applied = 0;                ///< how many times the rule applied
    std::vector<std::string_view> reasons;  ///< the reasons why matching nodes were left alone, each of them once
  };
  /// Something that happened: a rule was tried at a node, or a pass after the rules, such as `legalize`, added nodes.
  struct event {
    std::string_view rule;
    std::string_view reason;                     ///< the reason why the rule declined; empty if the rule applied
    node_id node = node_id::none;                ///< the node that the rule matched; none for a pass
    node_id begin = node_id::none, end = begin;  ///< the nodes that the rule or pass added, [begin, end)
  };
  /// The rules that matched a node, in the order of their first matches.
  std::vector<entry> rules;
  /// All events in order; only with rewrite_options::keep_events.
  std::vector<event> events;

  /// Warnings for the caller: weights that could not be stored as requested.
  std::vector<jaxpr::diagnostic> warnings;

  /// The number of times that the driver stopped at the limit of rounds although rules still applied.
  std::size_t unsettled = 0;

  /// The entry of a rule; null if it matched no node.
  const entry* find(std::string_view rule) const {
    for (const entry& e : rules)
      if (e.rule == rule) return &e;
    return nullptr;
  }
  std::size_t applied(std::string_view rule) const {
    const entry* e = find(rule);
    return e ? e->applied : 0;
  }

  void add_applied(std::string_view rule) { ++at(rule).applied; }
  void add_reason(std::string_view rule, std::string_view reason) {
    std::vector<std::string_view>& reasons = at(rule).reasons;
    for (const std::string_view known : reasons)
      if (known == reason) return;
    reasons.push_back(reason);
  }

 private:
  entry& at(std::string_view rule) {
    for (entry& e : rules)
      if (e.rule == rule) return e;
    rules.push_back({rule, 0, {}});
    return rules.back();
  }
};

}  // namespace jax2onnx
