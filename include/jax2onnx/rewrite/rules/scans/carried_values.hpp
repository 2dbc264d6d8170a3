// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jax2onnx/operators/views/attributes.hpp>
#include <jax2onnx/operators/views/functions.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// If a step of a Scan computes a value from its states, and the step before has computed the same value already, the
/// value becomes a loop-carried value. For example, a leapfrog integrator needs the force at the end of a step, which
/// is the force at the beginning of the next one, and the borders of a grid do not change. Source: common
/// subexpressions across the iterations of a loop, predictive commoning.
namespace jax2onnx::rewrite::detail {

/// The operand of the Concat `joined` that the Slice `part` takes, if the Slice takes exactly one operand; else absent.
inline value operand_in_slice(const value& joined, const sliced_axis& part) {
  value from = joined;
  while (producer(from, "Identity")) from = input_of(from, 0);
  if (!producer(from, "Concat") || axis_of(from) != part.axis || part.step != 1) return {};
  std::int64_t first = 0;
  for (const value& operand : inputs_of(from)) {
    const dim extent = operand.extent(part.axis);
    if (!extent.is_constant()) return {};
    if (first == part.first && part.count == extent) return operand;
    first += extent.extent();
  }
  return {};
}

/// Finds values that a body computes from states and from values outside the Scan, if the body also computes the values
/// that they have in the next step.
class values_of_next_step {
 public:
  explicit values_of_next_step(const recurrence& r) : recurrence_(r), graph_(r.owner()) {
    for (std::size_t i = 0; i < r.state_count(); ++i) next_[r.state(i).id()] = r.next(i).id();
    for (const node_id id : nodes()) alike_.emplace(hash(graph_.at(id), graph_.at(id).inputs), id);
    for (const node_id id : nodes()) add(id);
    if (computed_.empty()) return;
    for (const node_id id : nodes())
      if (!is_known(graph_.at(id)))
        for (const value_id v : graph_.at(id).inputs) need(v);
    for (const value_id v : graph_.at(r.body()).outputs) need(v);
    std::size_t done = 0;
    while (done < needed_.size()) need(next_.at(needed_[done++]));
  }

  /// Returns whether the step before has computed the result of the node.
  bool is_known(const node& n) const { return n.outputs.size() == 1 && computed_.contains(n.outputs[0]); }
  std::size_t count() const { return computed_.size(); }
  /// The values to carry: the previous step has computed them, they change from step to step, and the remaining nodes,
  /// the results of the body or other carried values need them.
  std::vector<value> changing() const {
    std::vector<value> all;
    for (const value_id v : needed_)
      if (next_.at(v) != v) all.emplace_back(graph_, v);
    return all;
  }
  value next(const value& v) const { return {graph_, next_.at(v.id())}; }

 private:
  const std::vector<node_id>& nodes() const { return graph_.at(recurrence_.body()).nodes; }
  bool is_inner(value_id v) const { return v != value_id::none && graph_.at(v).home == recurrence_.body(); }
  void need(value_id v) {
    if (computed_.contains(v) && read_.insert(v).second) needed_.push_back(v);
  }
  /// Finds the value of a node in the next step, if the body computes that value.
  void add(node_id id) {
    const node& n = graph_.at(id);
    if (n.outputs.size() != 1 || !operators::is_function(graph_, n)) return;
    std::vector<value_id> inputs = n.inputs;
    bool has_states = false;
    for (value_id& v : inputs) {
      if (!is_inner(v)) continue;
      const auto at = next_.find(v);
      if (at == next_.end()) return;
      v = at->second;
      has_states = true;
    }
    if (!has_states) return;
    if (const value_id next = computed_of(n, inputs); next != value_id::none) {
      next_[n.outputs[0]] = next;
      computed_.insert(n.outputs[0]);
    }
  }
  /// The value that the body computes and that is the node's result on these inputs, if any.
  value_id computed_of(const node& n, const std::vector<value_id>& inputs) const {
    if (const auto part = single_slice_of({graph_, n.outputs[0]}))
      if (const value operand = operand_in_slice({graph_, inputs[0]}, *part)) return operand.id();
    const auto [begin, end] = alike_.equal_range(hash(n, inputs));
    for (auto at = begin; at != end; ++at) {
      const node& other = graph_.at(at->second);
      if (other.op == n.op && other.inputs == inputs && other.domain == n.domain && other.outputs.size() == 1 &&
          operators::same_attributes(n, other))
        return other.outputs[0];
    }
    return value_id::none;
  }
  /// A hash of the operator and operands, to find nodes that compute the same.
  static std::size_t hash(const node& n, const std::vector<value_id>& inputs) {
    std::size_t h = std::hash<std::string_view>{}(n.op);
    for (const value_id v : inputs) h = h * 0x9e3779b97f4a7c15u + static_cast<std::size_t>(v);
    return h;
  }

  const recurrence& recurrence_;
  graph& graph_;
  std::unordered_multimap<std::size_t, node_id> alike_ = {};
  std::unordered_map<value_id, value_id> next_ = {};
  std::unordered_set<value_id> computed_ = {}, read_ = {};
  std::vector<value_id> needed_ = {};
};

/// Copies nodes and gives the copies other operands.
class node_copies {
 public:
  explicit node_copies(graph& g) : graph_(g) {}

  void put(const value& v, const value& copy) { copies_[v.id()] = copy.id(); }
  value of(const value& v) const {
    const auto at = copies_.find(v.id());
    return at == copies_.end() ? v : value(graph_, at->second);
  }
  void add(node n) {
    for (value_id& v : n.inputs)
      if (v != value_id::none) v = of({graph_, v}).id();
    for (value_id& v : n.outputs)
      if (v != value_id::none)
        v = copies_[v] = graph_.add_value(graph_.at(v).type, graph_.current(), graph_.at(v).name);
    graph_.append(graph_.add_node(std::move(n)));
  }

 private:
  graph& graph_;
  std::unordered_map<value_id, value_id> copies_ = {};
};

inline outcome carry_values(const context& c, const value& root) {
  constexpr std::size_t most_nodes = 1024;
  const auto r = recurrence::of(root);
  if (!r || r->state_count() == 0 || r->sequence_count() == 0) return {};
  if (c.g.at(r->body()).nodes.size() > most_nodes || has_subgraphs(c.g, r->body())) return {};
  const values_of_next_step known(*r);
  const std::vector<value> changing = known.changing();
  if (known.count() <= changing.size()) return {};
  const std::vector<node_id> nodes = c.g.at(r->body()).nodes;
  node_copies before(c.g);
  std::vector<value> first, sequences;
  scan_options options{.carried_names = {}, .element_names = {}, .reverse = r->reverse()};
  const auto name_of = [&](const value& v) { return std::string_view(c.g.at(v.id()).name); };
  const auto carry = [&](const value& v, const value& at_first) {
    before.put(v, at_first);
    first.push_back(at_first);
    options.carried_types.push_back(v.type());
    options.carried_names.push_back(name_of(v));
  };
  for (std::size_t i = 0; i < r->state_count(); ++i) carry(r->state(i), r->first(i));
  for (const node_id id : nodes)
    if (known.is_known(c.g.at(id))) before.add(c.g.at(id));
  for (const value& v : changing) carry(v, before.of(v));
  for (std::size_t i = 0; i < r->sequence_count(); ++i) {
    sequences.push_back(r->sequence(i));
    options.element_names.push_back(name_of(r->element(i)));
  }
  const auto step = [&](const std::vector<value>& states, const std::vector<value>& elements) {
    node_copies inside = before;  // values that no step changes are read from before the Scan
    for (std::size_t i = 0; i < r->state_count(); ++i) inside.put(r->state(i), states[i]);
    for (std::size_t i = 0; i < changing.size(); ++i) inside.put(changing[i], states[r->state_count() + i]);
    for (std::size_t i = 0; i < elements.size(); ++i) inside.put(r->element(i), elements[i]);
    for (const node_id id : nodes)
      if (!known.is_known(c.g.at(id))) inside.add(c.g.at(id));
    loop_step out;
    for (std::size_t i = 0; i < r->state_count(); ++i) out.carried.push_back(inside.of(r->next(i)));
    for (const value& v : changing) out.carried.push_back(inside.of(known.next(v)));
    for (std::size_t i = 0; i < r->collected_count(); ++i) out.collected.push_back(inside.of(r->collected(i)));
    return out;
  };
  loop_result made = counted_as(*r, scan(c.g, first, sequences, step, options));
  made.carried.resize(r->state_count());
  outcome o;
  o.all = all_results(made);
  return o;
}

inline constexpr rule carried_value_rules[] = {
    {"carry-values", "Scan(h' = f(h), y = g(h), z = g(h')) -> Scan(h' = f(h), y' = z = g(h'))",
     "there are fewer nodes afterwards; g depends only on states, and may be part of a Concat; "
     "at most 1024 nodes and no subgraphs",
     ops<"Scan">, carry_values, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
