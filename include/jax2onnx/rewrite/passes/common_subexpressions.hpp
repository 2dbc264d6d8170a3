// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <climits>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/operators/views/attributes.hpp>

namespace jax2onnx::rewrite::detail {

/// The nodes seen so far, by what they compute. An inner block finds the nodes of enclosing blocks, not the reverse.
class common_subexpressions {
 public:
  /// A visible node that computes the same as `n`. If there is none, returns none, and remembers `n`. A node that has a
  /// body, calls a function, may be random or is not of an ONNX operator is never found or remembered.
  node_id find_or_add(const graph& g, node_id n);

  /// Enters a block.
  void enter() { marks_.push_back(added_.size()); }
  /// Leaves the block: forgets the nodes added since enter().
  void leave();

 private:
  /// A slot of a table with open addressing. Nodes are forgotten in the reverse of the order in which they were added,
  /// so that no search ends too early.
  struct slot {
    std::size_t hash = 0;
    node_id node = node_id::none;
  };

  void grow();
  static std::size_t hash(const node& n);
  /// Returns whether two nodes have the same operator, attributes, operands and number of results, and `a` has all
  /// results that `b` has.
  static bool same(const node& a, const node& b);
  /// Returns whether equal nodes compute the same. False for random operators, for operators that ONNX does not have,
  /// and for nodes with bodies, which are not compared.
  bool is_pure(const node& n);

  std::vector<slot> slots_;         // their number is a power of two
  std::vector<std::size_t> added_;  // the slots with nodes, in the order in which these were added
  std::vector<std::size_t> marks_;
  // For each operator, 1 if it is deterministic, 0 if not, -1 if it was not looked up yet.
  std::vector<std::int8_t> deterministic_;
};

inline node_id common_subexpressions::find_or_add(const graph& g, node_id id) {
  const node& n = g.at(id);
  if (!is_pure(n) || g.find_function(n.domain, n.op)) return node_id::none;  // functions may hold random operators
  if (2 * (added_.size() + 1) > slots_.size()) grow();
  const std::size_t h = hash(n), mask = slots_.size() - 1;
  std::size_t i = h & mask;
  for (; slots_[i].node != node_id::none; i = (i + 1) & mask)
    if (slots_[i].hash == h && same(g.at(slots_[i].node), n)) return slots_[i].node;
  slots_[i] = {h, id};
  added_.push_back(i);
  return node_id::none;
}

inline void common_subexpressions::grow() {
  const std::vector<slot> old = std::exchange(slots_, std::vector<slot>(slots_.empty() ? 64 : 2 * slots_.size()));
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t& place : added_) {
    const slot moved = old[place];
    for (place = moved.hash & mask; slots_[place].node != node_id::none;) place = (place + 1) & mask;
    slots_[place] = moved;
  }
}

inline void common_subexpressions::leave() {
  for (; added_.size() > marks_.back(); added_.pop_back()) slots_[added_.back()] = {};
  marks_.pop_back();
}

inline bool common_subexpressions::is_pure(const node& n) {
  for (const attribute& a : n.attributes)
    if (std::holds_alternative<block_id>(a.value)) return false;
  const auto is_deterministic = [&] {
    const op_record* const record = find_record(n.domain, n.op, INT_MAX);
    return record && record->deterministic;
  };
  if (!n.domain.empty() || n.op.number() < 0) return is_deterministic();
  if (deterministic_.empty()) deterministic_.resize(std::size(records::names), -1);
  std::int8_t& known = deterministic_[static_cast<std::size_t>(n.op.number())];
  if (known < 0) known = is_deterministic() ? 1 : 0;
  return known == 1;
}

inline std::size_t common_subexpressions::hash(const node& n) {
  std::size_t h = n.op.number() < 0 ? std::hash<std::string_view>{}(n.op) : static_cast<std::size_t>(n.op.number());
  const auto mix = [&](std::size_t more) { h = (h ^ more) * 0x9e3779b97f4a7c15u ^ (h >> 29); };
  for (value_id v : n.inputs) mix(static_cast<std::size_t>(v));
  for (const attribute& a : n.attributes) {
    mix(a.name.size());
    if (const auto* i = std::get_if<std::int64_t>(&a.value)) mix(static_cast<std::size_t>(*i));
    if (const auto* list = std::get_if<ints>(&a.value))
      for (std::int64_t i : *list) mix(static_cast<std::size_t>(i));
    if (const auto* number = std::get_if<float>(&a.value)) mix(std::hash<float>{}(*number));
    if (const auto* text = std::get_if<std::string>(&a.value)) mix(std::hash<std::string_view>{}(*text));
  }
  return h;
}

inline bool common_subexpressions::same(const node& a, const node& b) {
  if (a.op != b.op || a.domain != b.domain || a.inputs != b.inputs || a.outputs.size() != b.outputs.size() ||
      !operators::same_attributes(a, b))
    return false;
  for (std::size_t i = 0; i < a.outputs.size(); ++i)  // an absent result cannot replace one that exists
    if (a.outputs[i] == value_id::none && b.outputs[i] != value_id::none) return false;
  return true;
}

}  // namespace jax2onnx::rewrite::detail
