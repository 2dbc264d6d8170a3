// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>
#include <variant>
#include <vector>

#include <jax2onnx/graph/collectives.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/rewrite/passes/loop_invariants.hpp>

namespace jax2onnx::rewrite::detail {

/// Drops nodes whose results are unused, in every block, and loop-carried values that no used result depends on. Linear
/// in the size of the graph. Collectives stay, since other devices take part in them. If `keep_collectives` is false,
/// unused collectives are also dropped; all devices must then drop them.
class dead_code {
 public:
  explicit dead_code(graph& g, bool keep_collectives = true)
      : graph_(g), keep_collectives_(keep_collectives), live_nodes_(g.node_count()), live_blocks_(g.block_count()) {}

  void run() {
    if (keep_collectives_) find_exchanges();
    mark_block(block_id::main);
    for (const model_function& f : graph_.functions()) {
      if (f.body != block_id::none) mark_block(f.body);
      for (block_id trace : f.traces) mark_block(trace);
    }
    while (!pending_.empty() || !pending_states_.empty()) {
      if (pending_.empty()) mark_next_value(taken_from(pending_states_));
      else mark_node(taken_from(pending_));
    }
    erase_dead_states();
    for (std::size_t b = 0; b < graph_.block_count(); ++b) {
      block& body = graph_.at(static_cast<block_id>(b));
      if (live_blocks_[b]) {
        keep_live(body.nodes);
      } else {
        body.nodes.clear();
        body.outputs.clear();  // outputs would count as reads
      }
    }
  }

 private:
  void keep_live(std::vector<node_id>& nodes) {
    std::size_t kept = 0;
    for (const node_id n : nodes)
      if (live_nodes_[static_cast<std::size_t>(n)]) nodes[kept++] = n;
    nodes.resize(kept);
  }
  /// A loop-carried value: a Loop or Scan, and the number of the value.
  struct state {
    node_id loop;
    std::size_t number;
  };
  template <class T>
  static T taken_from(std::vector<T>& items) {
    const T item = items.back();
    items.pop_back();
    return item;
  }

  void mark_value(value_id v) {
    if (v == value_id::none) return;
    if (const node_id n = graph_.at(v).producer; n != node_id::none) mark(n);
    if (!states_.empty()) mark_state_of(v);
  }
  void mark_state_of(value_id v) {
    if (const auto at = states_.find(v); at != states_.end()) mark_state(at->second);
  }
  void mark(node_id n) {
    if (live_nodes_[static_cast<std::size_t>(n)]) return;
    live_nodes_[static_cast<std::size_t>(n)] = true;
    pending_.push_back(n);
    if (has_blocks_) find_states(n);
  }
  void mark_state(const state& s) {
    std::vector<bool>& live = live_states_.at(s.loop);
    if (live[s.number]) return;
    live[s.number] = true;
    pending_states_.push_back(s);
  }
  /// Records the states of a live loop by the results and the inputs of the body that hold them.
  void find_states(node_id id) {
    const node& n = graph_.at(id);
    if (!n.domain.empty() || !has_trait(n, trait::has_loop_body) || !operators::fits_its_blocks(graph_, n)) return;
    const carried_places at = carried_places_of(n);
    if (at.count == 0 || (!exchanges_.empty() && exchanges(n))) return;
    const block& body = graph_.at(block_of(n, "body"));
    for (std::size_t i = 0; i < at.count; ++i) {
      if (n.outputs[i] != value_id::none) states_[n.outputs[i]] = {id, i};
      states_[body.inputs[at.inputs + i]] = {id, i};
    }
    live_states_[id].resize(at.count);
  }
  /// Marks the first value of a live state, and the next value that an iteration computes.
  void mark_next_value(const state& s) {
    const node& n = graph_.at(s.loop);
    const carried_places at = carried_places_of(n);
    mark_value(n.inputs[at.inputs + s.number]);
    mark_value(graph_.at(block_of(n, "body")).outputs[at.results + s.number]);
  }
  void erase_dead_states() {
    for (const auto& [loop, live] : live_states_)
      for (std::size_t i = live.size(); i-- > 0;)
        if (!live[i]) erase_result(graph_, graph_.at(loop), i);
  }
  void mark_block(block_id b) {
    live_blocks_[static_cast<std::size_t>(b)] = true;
    for (value_id v : graph_.at(b).outputs) mark_value(v);
    if (exchanges_.empty()) return;
    for (const node_id n : graph_.at(b).nodes)
      if (exchanges(graph_.at(n))) mark(n);
  }
  /// Records the blocks that have a collective, directly or in an inner block.
  void find_exchanges() {
    for (std::size_t b = 0; b < graph_.block_count(); ++b) {
      bool found = false;
      for (const node_id n : graph_.at(static_cast<block_id>(b)).nodes) found = found || is_collective(graph_.at(n));
      if (!found) continue;
      exchanges_.resize(graph_.block_count());
      for (auto at = static_cast<block_id>(b); at != block_id::none; at = graph_.at(at).parent) {
        if (exchanges_[static_cast<std::size_t>(at)]) break;
        exchanges_[static_cast<std::size_t>(at)] = true;
      }
    }
  }
  bool exchanges(const node& n) const {
    if (is_collective(n)) return true;
    for (const attribute& a : n.attributes)
      if (const block_id* b = std::get_if<block_id>(&a.value); b && exchanges_[static_cast<std::size_t>(*b)])
        return true;
    return false;
  }
  void mark_node(node_id id) {
    const node& n = graph_.at(id);
    if (!live_states_.empty() && live_states_.contains(id)) return mark_loop(n);
    for (value_id v : n.inputs) mark_value(v);
    for (const attribute& a : n.attributes)
      if (const block_id* b = std::get_if<block_id>(&a.value)) mark_block(*b);
  }
  /// Marks the inputs of a loop and the outputs of its body, except the inputs and outputs for its states.
  void mark_loop(const node& n) {
    const carried_places at = carried_places_of(n);
    const block_id body = block_of(n, "body");
    live_blocks_[static_cast<std::size_t>(body)] = true;
    mark_others(n.inputs, at.inputs, at.count);
    mark_others(graph_.at(body).outputs, at.results, at.count);
  }
  /// Marks all values except `count` values from `first` on.
  void mark_others(const std::vector<value_id>& values, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i < first || i >= first + count) mark_value(values[i]);
  }

  graph& graph_;
  bool keep_collectives_;
  bool has_blocks_ = graph_.block_count() > 1;
  std::vector<bool> exchanges_;  // for each block, true if it has a collective; empty if there is no collective
  std::vector<bool> live_nodes_;
  std::vector<bool> live_blocks_;
  std::vector<node_id> pending_;
  std::unordered_map<value_id, state> states_;  // the states of live loops, by result and input of the body
  std::unordered_map<node_id, std::vector<bool>> live_states_;  // for each live loop, the states that are live
  std::vector<state> pending_states_;
};

}  // namespace jax2onnx::rewrite::detail
