#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/devices/stated_sharding.hpp>

namespace jax2onnx::detail {

/// Takes the nodes that stand for statements out of a complete graph: the node that makes the tensor states how it is
/// divided, and so do the nodes that read it behind the statement. A statement between an input and an output becomes
/// an Identity.
class sharding_statements {
 public:
  sharding_statements(graph& g, const lower::devices::stated_shardings& stated) : graph_(g), stated_(stated) {}

  void apply() {
    if (stated_.all().empty()) return;
    graph_.set_device_count(stated_.device_count());
    for (std::size_t b = 0; b < graph_.block_count(); ++b) take_out(static_cast<block_id>(b));
  }

 private:
  static bool is_statement(const node& n) { return n.domain == lower::devices::statement_domain; }
  const tensor_sharding& sharding_of(const node& n) const {
    return stated_.all()[static_cast<std::size_t>(std::get<std::int64_t>(n.find("number")->value))];
  }
  void take_out(block_id b);
  void read_behind(node_id user);
  bool takes_name_of(value_id output, value_id source, block_id b);

  graph& graph_;
  const lower::devices::stated_shardings& stated_;
  /// A tensor, and what was stated last of it.
  struct behind {
    value_id source;
    const tensor_sharding* sharding;
  };
  std::map<value_id, behind> taken_;
};

/// Whether an output that a statement makes can be its operand instead: a node of the same block makes it, and it is no
/// output itself.
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
    const auto from = taken_.find(v);
    if (from == taken_.end()) continue;
    graph_.set_sharding(user, from->second.source, *from->second.sharding);
    v = from->second.source;
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
    const auto before = taken_.find(n.inputs[0]);
    const value_id source = before == taken_.end() ? n.inputs[0] : before->second.source, made = n.outputs[0];
    const node_id producer = graph_.at(source).producer;
    if (before == taken_.end() && producer != node_id::none) graph_.set_sharding(producer, source, sharding);
    const auto& outputs = graph_.at(b).outputs;
    if (std::ranges::find(outputs, made) != outputs.end() && !takes_name_of(made, source, b)) {
      n.inputs[0] = source;
      n.op = "Identity";
      n.domain = {};
      n.attributes.clear();
      graph_.set_sharding(id, source, sharding);
      graph_.set_sharding(id, made, sharding);
      kept.push_back(id);
      continue;
    }
    taken_.insert_or_assign(made, behind{source, &sharding});
  }
  graph_.at(b).nodes = std::move(kept);
}

}  // namespace jax2onnx::detail
