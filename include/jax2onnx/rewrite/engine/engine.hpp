#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/graph/checked.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/passes/common_subexpressions.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

namespace jax2onnx::rewrite {

/// What the rules did, and why they did not.
struct report {
  std::map<std::string_view, std::size_t> applied;                  ///< by rule
  std::map<std::string_view, std::set<std::string_view>> declined;  ///< reasons, by rule
};

/// What the engine does besides rules has a name like theirs.
inline constexpr std::string_view common_subexpressions_name = "common-subexpressions";

/// Applies rules in rounds until none applies. A round walks every block once, front to back, and builds its list of nodes
/// anew: a node that a rule replaces is left out, the replacement's nodes stand in its place. Common subexpressions are
/// merged on the way. A round is linear in the graph, and the number of rounds is bounded.
class engine {
 public:
  engine(graph& g, report& r, bool merge_common = true) : graph_(g), report_(r), merge_common_(merge_common) {}

  void add(const rule& r) {
    for (std::string_view op : r.roots) rules_[op].push_back(&r);
  }
  void run(stage last);

 private:
  static constexpr int most_rounds = 16;

  bool round(stage last);
  void visit(block_id b);
  void visit_node(node_id n);
  bool apply_rules(node_id n);
  bool merge(node_id n);
  bool replace(value_id old, value with);
  void refine(shape& dims, const shape& by) const;
  value_id resolved(value_id v) const {
    for (auto i = static_cast<std::size_t>(v); i < forward_.size() && forward_[i] != value_id::none;
         i = static_cast<std::size_t>(v))
      v = forward_[i];
    return v;
  }

  graph& graph_;
  report& report_;
  bool merge_common_;
  std::unordered_map<std::string_view, std::vector<const rule*>> rules_;
  use_counts uses_;
  common_subexpressions seen_;
  std::vector<value_id> forward_;  // what stands for a value now; none: itself
  std::vector<bool> main_output_;
  stage last_ = stage::tidy;
  bool changed_ = false;
};

inline void engine::run(stage last) {
  for (int i = 0; i < most_rounds && round(last); ++i) dead_code(graph_).run();
}

inline bool engine::round(stage last) {
  last_ = last;
  changed_ = false;
  uses_.count(graph_);
  seen_ = {};
  seen_.reserve(graph_.node_count());
  forward_.assign(graph_.value_count(), value_id::none);
  main_output_.assign(graph_.value_count(), false);
  for (value_id v : graph_.at(block_id::main).outputs) main_output_[static_cast<std::size_t>(v)] = true;
  graph_.forget_dim_values();  // they are made anew where they are needed, and merged
  visit(block_id::main);
  graph_.forget_dim_values();
  return changed_;
}

inline void engine::visit(block_id b) {
  const std::vector<node_id> nodes = std::exchange(graph_.at(b).nodes, {});
  const insertion_scope here(graph_, b);
  seen_.enter();
  for (node_id n : nodes) visit_node(n);
  seen_.leave();
  for (value_id& v : graph_.at(b).outputs) v = resolved(v);
}

inline void engine::visit_node(node_id n) {
  for (value_id& v : graph_.at(n).inputs)
    if (v != value_id::none) v = resolved(v);
  const std::size_t attributes = graph_.at(n).attributes.size();  // a node moves when the graph grows
  for (std::size_t i = 0; i < attributes; ++i)
    if (const block_id* body = std::get_if<block_id>(&graph_.at(n).attributes[i].value)) visit(*body);
  if (!apply_rules(n) && !merge(n)) graph_.append(n);
}

inline bool engine::apply_rules(node_id id) {
  const node& n = graph_.at(id);
  if (n.outputs.size() != 1 || !n.domain.empty()) return false;
  const auto found = rules_.find(n.op);
  if (found == rules_.end()) return false;
  const value root(graph_, n.outputs[0]);
  for (const rule* r : found->second) {
    if (r->when > last_) continue;
    const std::size_t before = graph_.node_count();
    const outcome o = r->apply({graph_, uses_}, root);
    if (!o.reason.empty()) report_.declined[r->name].insert(o.reason);
    if (!o.replacement) continue;
    if (o.replacement.dtype() != root.dtype() || o.replacement.rank() != root.rank())
      throw build_error(fmt::format("rewrite {}: {} instead of {}", r->name, text(o.replacement), text(root)));
    for (std::size_t i = before; i < graph_.node_count(); ++i) {
      graph_.at(static_cast<node_id>(i)).origin = graph_.at(id).origin;
      for (value_id v : graph_.at(static_cast<node_id>(i)).inputs) uses_.add(v, 1);
    }
    if (!replace(root.id(), o.replacement)) continue;
    ++report_.applied[r->name];
    return true;
  }
  return false;
}

/// From now on `with` stands for `old`. The model's outputs keep their names: where the replacement has one already, or is
/// made elsewhere, the old node stays.
inline bool engine::replace(value_id old, value with) {
  const value_record& record = graph_.at(with.id());
  if (static_cast<std::size_t>(old) < main_output_.size() && main_output_[static_cast<std::size_t>(old)]) {
    main_output_.resize(graph_.value_count());
    const bool free = record.producer != node_id::none && record.home == block_id::main &&
                      !main_output_[static_cast<std::size_t>(with.id())];
    if (!free) return false;
    main_output_[static_cast<std::size_t>(with.id())] = true;
    graph_.at(with.id()).name = graph_.at(old).name;
  }
  for (value_id v : graph_.at(graph_.at(old).producer).inputs) uses_.add(v, -1);
  uses_.add(with.id(), uses_.at(old));
  if (record.producer != node_id::none) {
    refine(graph_.at(with.id()).type.dims, graph_.at(old).type.dims);
    if (record.name.empty()) graph_.at(with.id()).name = graph_.at(old).name;
  }
  forward_[static_cast<std::size_t>(old)] = with.id();
  return changed_ = true;
}

/// What the old value's extents say of the new one's.
inline void engine::refine(shape& dims, const shape& by) const {
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (!dims[i].is_constant() && (dims[i].is_dyn() || by[i].is_constant())) dims[i] = by[i];
}

inline bool engine::merge(node_id id) {
  if (!merge_common_) return false;
  const node_id twin = seen_.find_or_add(graph_, id);
  if (twin == node_id::none) return false;
  for (std::size_t i = 0; i < graph_.at(id).outputs.size(); ++i) {
    const value_id old = graph_.at(id).outputs[i], with = graph_.at(twin).outputs[i];
    if (!replace(old, {graph_, with})) return false;
  }
  ++report_.applied[common_subexpressions_name];
  return true;
}

}  // namespace jax2onnx::rewrite
