// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/devices/stated_sharding.hpp>
#include <jax2onnx/support/key_map.hpp>

namespace jax2onnx::detail {

/// Removes the nodes that carry sharding statements from a complete graph. The node that computes a tensor then states
/// the first sharding of the tensor, and each node that read the result of a statement states that sharding. If the
/// result of a statement is an output that the operand cannot replace, the statement becomes an Identity.
class sharding_statements {
 public:
  sharding_statements(graph& g, const lower::devices::stated_shardings& stated) : graph_(g), stated_(stated) {}

  void apply() {
    if (stated_.all().empty()) return;
    for (std::size_t b = 0; b < graph_.block_count(); ++b) take_out(static_cast<block_id>(b));
    std::ranges::stable_sort(made_, {}, &sharding_statement::node);
    graph_.set_shardings(std::move(made_), stated_.device_count());
  }

 private:
  static bool is_statement(const node& n) { return n.domain == lower::devices::statement_domain; }
  const tensor_sharding& sharding_of(const node& n) const {
    return stated_.all()[static_cast<std::size_t>(std::get<std::int64_t>(n.find("number")->value))];
  }
  /// Adds a statement, unless there is one about this tensor at this node.
  void state(node_id n, value_id v, const tensor_sharding& sharding) {
    const std::int64_t key = static_cast<std::int64_t>(n) << 32 | static_cast<std::int64_t>(v);
    if (known_.find(key) != key_map::none) return;
    known_.set(key, 0);
    made_.push_back({n, v, sharding});
  }
  void take_out(block_id b);
  void read_behind(node_id user);
  bool takes_name_of(value_id output, value_id source, block_id b);

  graph& graph_;
  const lower::devices::stated_shardings& stated_;
  /// A tensor, and the last statement about it.
  struct behind {
    value_id source;
    const tensor_sharding* sharding;
  };
  const behind* taken(value_id v) const {
    const std::uint32_t i = taken_.find(static_cast<std::int64_t>(v));
    return i == key_map::none ? nullptr : &behinds_[i];
  }
  key_map taken_;  // index into `behinds_`, by value_id
  std::vector<behind> behinds_;
  key_map known_;  // the nodes and tensors about which a statement is known
  std::vector<sharding_statement> made_;
};

/// Makes the operand of a statement the output in place of the statement's result, if a node of the same block computes
/// the operand and the operand is not an output yet. Returns whether it did.
inline bool sharding_statements::takes_name_of(value_id output, value_id source, block_id b) {
  const value_record& made = graph_.at(source);
  const auto& outputs = graph_.at(b).outputs;
  if (made.producer == node_id::none || made.home != b) return false;
  if (std::ranges::find(outputs, source) != outputs.end()) return false;
  graph_.at(source).name = graph_.at(output).name;
  std::ranges::replace(graph_.at(b).outputs, output, source);
  return true;
}

inline void sharding_statements::read_behind(node_id user) {
  for (value_id& v : graph_.at(user).inputs) {
    const behind* from = taken(v);
    if (!from) continue;
    state(user, from->source, *from->sharding);
    v = from->source;
  }
}

inline void sharding_statements::take_out(block_id b) {
  std::vector<node_id> kept;
  for (const node_id id : std::vector(graph_.at(b).nodes)) {
    node& n = graph_.at(id);
    if (!is_statement(n)) {
      read_behind(id);
      kept.push_back(id);
      continue;
    }
    const tensor_sharding& sharding = sharding_of(n);
    const behind* before = taken(n.inputs[0]);
    const value_id source = before ? before->source : n.inputs[0], made = n.outputs[0];
    const node_id producer = graph_.at(source).producer;
    if (!before && producer != node_id::none) state(producer, source, sharding);
    const auto& outputs = graph_.at(b).outputs;
    if (std::ranges::find(outputs, made) != outputs.end() && !takes_name_of(made, source, b)) {
      n.inputs[0] = source;
      n.op = "Identity";
      n.domain = {};
      n.attributes.clear();
      state(id, source, sharding);
      state(id, made, sharding);
      kept.push_back(id);
      continue;
    }
    taken_.set(static_cast<std::int64_t>(made), static_cast<std::uint32_t>(behinds_.size()));
    behinds_.push_back({source, &sharding});
  }
  graph_.at(b).nodes = std::move(kept);
}

}  // namespace jax2onnx::detail
