// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// Compares two traces of one function: finds which values correspond, and whether the traces differ.
class trace_match {
 public:
  trace_match(const graph& g, block_id a, block_id b) : graph_(g) { match_blocks(a, b); }

  /// The first difference other than types and names; empty if there is none.
  const std::string& difference() const { return difference_; }
  /// The pairs of values that correspond: a value of the first trace, and one of the second.
  const std::vector<std::pair<value_id, value_id>>& pairs() const { return pairs_; }

 private:
  void match_blocks(block_id a, block_id b);
  void match_nodes(const node& a, const node& b);
  void match_attributes(const node& a, const node& b);
  void expect(bool holds, const node& n, std::string_view what) {
    if (!holds && difference_.empty()) difference_ = message("{} has different {}", n.op, what);
  }
  void add(value_id a, value_id b) {
    if (a == value_id::none || b == value_id::none) return;
    twin_.set(static_cast<std::int64_t>(a), static_cast<std::uint32_t>(b));
    pairs_.emplace_back(a, b);
  }
  bool are_twins(value_id a, value_id b) const {
    if (a == b) return true;
    if (a == value_id::none || b == value_id::none) return false;
    if (graph_.at(a).constant < 0) return static_cast<value_id>(twin_.find(static_cast<std::int64_t>(a))) == b;
    if (graph_.at(b).constant < 0 || graph_.at(a).type != graph_.at(b).type) return false;
    const bytes &x = graph_.data(graph_.at(a)), &y = graph_.data(graph_.at(b));
    const auto left = x.view(), right = y.view();
    return x.size() == y.size() && left.size() == x.size() && std::equal(left.begin(), left.end(), right.begin());
  }
  template <class Values>
  bool are_all_twins(const Values& a, const Values& b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!are_twins(a[i], b[i])) return false;
    return true;
  }

  const graph& graph_;
  key_map twin_;  // value_id in the second trace, by value_id in the first
  std::vector<std::pair<value_id, value_id>> pairs_;
  std::string difference_;
};

inline void trace_match::match_blocks(block_id a, block_id b) {
  const block &first = graph_.at(a), &second = graph_.at(b);
  if (first.nodes.size() != second.nodes.size())
    difference_ = message("it has {} node{|s} instead of {}", second.nodes.size(), first.nodes.size());
  else if (first.inputs.size() != second.inputs.size())
    difference_ = message("it has {} input{|s} instead of {}", second.inputs.size(), first.inputs.size());
  if (!difference_.empty()) return;
  for (std::size_t i = 0; i < first.inputs.size(); ++i) add(first.inputs[i], second.inputs[i]);
  for (std::size_t i = 0; i < first.nodes.size() && difference_.empty(); ++i)
    match_nodes(graph_.at(first.nodes[i]), graph_.at(second.nodes[i]));
  if (difference_.empty() && !are_all_twins(first.outputs, second.outputs)) difference_ = "it has different results";
}

inline void trace_match::match_nodes(const node& a, const node& b) {
  if (a.op.text() != b.op.text() || a.domain != b.domain) {
    difference_ = message("{} instead of {}", b.op, a.op);
    return;
  }
  expect(are_all_twins(a.inputs, b.inputs), b, "operands or constants");
  expect(a.outputs.size() == b.outputs.size(), b, "results");
  match_attributes(a, b);
  for (std::size_t i = 0; i < a.outputs.size() && difference_.empty(); ++i) add(a.outputs[i], b.outputs[i]);
}

inline void trace_match::match_attributes(const node& a, const node& b) {
  expect(a.attributes.size() == b.attributes.size(), b, "attributes");
  for (std::size_t i = 0; i < a.attributes.size() && difference_.empty(); ++i) {
    const block_id* const first = std::get_if<block_id>(&a.attributes[i].value);
    const block_id* const second = std::get_if<block_id>(&b.attributes[i].value);
    if (first && second) match_blocks(*first, *second);
    else expect(a.attributes[i] == b.attributes[i], b, "attributes");
  }
}

/// The type that covers both types, which have the same value_kind. A dtype, rank or extent that differs becomes
/// unknown.
inline tensor_type general_type(const tensor_type& a, const tensor_type& b) {
  const dtype element = a.type == b.type ? a.type : dtype::undefined;
  if (!a.ranked || !b.ranked || a.dims.size() != b.dims.size()) return unranked(element, a.kind);
  tensor_type out = a;
  out.type = element;
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    if (a.dims[i] != b.dims[i]) out.dims[i] = dim::dyn();
  return out;
}

/// True if the dtype or rank of a value in a function depends on the call, so that its nodes cannot be rewritten.
inline bool is_generic(const graph& g, block_id body) {
  const auto open = [&](value_id v) {
    return v != value_id::none && (g.at(v).type.type == dtype::undefined || !g.at(v).type.ranked);
  };
  for (value_id v : g.at(body).inputs)
    if (open(v)) return true;
  for (node_id n : g.at(body).nodes)
    for (value_id v : g.at(n).outputs)
      if (open(v)) return true;
  return false;
}

}  // namespace jax2onnx::detail
