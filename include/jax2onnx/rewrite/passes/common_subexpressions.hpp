#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include <climits>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/records/find.hpp>

namespace jax2onnx::rewrite::detail {

/// The nodes seen so far, by what they compute. An inner block finds the nodes of enclosing blocks, not the reverse.
class common_subexpressions {
 public:
  /// A visible node that computes the same as `n`. Where there is none, remembers `n` and returns none.
  node_id find_or_add(const graph& g, node_id n);

  /// Reserves space for as many nodes.
  void reserve(std::size_t nodes) { nodes_.reserve(nodes); }

  /// Enters a block.
  void enter() { marks_.push_back(added_.size()); }
  /// Leaves the block: forgets the nodes added since enter().
  void leave();

 private:
  static std::size_t hash(const node& n);
  /// Whether two nodes have the same operator, attributes and operands.
  static bool same(const node& a, const node& b);
  /// Whether equal nodes compute the same. False for random operators, for operators that ONNX does not have, and for
  /// nodes with bodies, which are not compared.
  static bool is_pure(const node& n);

  std::unordered_multimap<std::size_t, node_id> nodes_;
  std::vector<std::unordered_multimap<std::size_t, node_id>::iterator> added_;
  std::vector<std::size_t> marks_;
};

inline node_id common_subexpressions::find_or_add(const graph& g, node_id id) {
  const node& n = g.at(id);
  if (!is_pure(n) || g.find_function(n.domain, n.op)) return node_id::none;  // functions may hold random operators
  const std::size_t key = hash(n);
  const auto [first, last] = nodes_.equal_range(key);
  for (auto it = first; it != last; ++it)
    if (same(g.at(it->second), n)) return it->second;
  added_.push_back(nodes_.emplace(key, id));
  return node_id::none;
}

inline void common_subexpressions::leave() {
  if (marks_.size() == 1) {  // an outermost block: all nodes are forgotten at once
    nodes_.clear();
    added_.clear();
  }
  for (; added_.size() > marks_.back(); added_.pop_back()) nodes_.erase(added_.back());
  marks_.pop_back();
}

inline bool common_subexpressions::is_pure(const node& n) {
  const op_record* const record = find_record(n.domain, n.op, INT_MAX);
  if (!record || !record->deterministic) return false;
  for (const attribute& a : n.attributes)
    if (std::holds_alternative<block_id>(a.value)) return false;
  return true;
}

inline std::size_t common_subexpressions::hash(const node& n) {
  std::size_t h = std::hash<std::string_view>{}(n.op);
  const auto mix = [&](std::size_t more) { h = (h ^ more) * 0x9e3779b97f4a7c15u ^ (h >> 29); };
  for (value_id v : n.inputs) mix(static_cast<std::size_t>(v));
  for (const attribute& a : n.attributes) {
    mix(std::hash<std::string_view>{}(a.name));
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
      a.attributes.size() != b.attributes.size())
    return false;
  for (std::size_t i = 0; i < a.outputs.size(); ++i)  // an absent result stands for none
    if (a.outputs[i] == value_id::none && b.outputs[i] != value_id::none) return false;
  for (std::size_t i = 0; i < a.attributes.size(); ++i)
    if (a.attributes[i].name != b.attributes[i].name || a.attributes[i].value != b.attributes[i].value) return false;
  return true;
}

}  // namespace jax2onnx::rewrite::detail
