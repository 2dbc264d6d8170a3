// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include <jax2onnx/graph/collectives.hpp>
#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx::rewrite::detail {

/// Drops nodes whose results are unused, in every block. Linear in the size of the graph. Collectives stay, since other
/// devices take part in them, unless all devices drop them here.
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
    while (!pending_.empty()) {
      const node_id n = pending_.back();
      pending_.pop_back();
      mark_node(graph_.at(n));
    }
    for (std::size_t b = 0; b < graph_.block_count(); ++b) {
      block& body = graph_.at(static_cast<block_id>(b));
      if (live_blocks_[b]) {
        keep_live(body.nodes);
      } else {
        body.nodes.clear();
        body.outputs.clear();  // they would count as reads
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
  void mark_value(value_id v) {
    if (v == value_id::none) return;
    if (const node_id n = graph_.at(v).producer; n != node_id::none) mark(n);
  }
  void mark(node_id n) {
    if (live_nodes_[static_cast<std::size_t>(n)]) return;
    live_nodes_[static_cast<std::size_t>(n)] = true;
    pending_.push_back(n);
  }
  void mark_block(block_id b) {
    live_blocks_[static_cast<std::size_t>(b)] = true;
    for (value_id v : graph_.at(b).outputs) mark_value(v);
    if (exchanges_.empty()) return;
    for (const node_id n : graph_.at(b).nodes)
      if (exchanges(graph_.at(n))) mark(n);
  }
  /// Records the blocks that have a collective, or a block that has one.
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
  void mark_node(const node& n) {
    for (value_id v : n.inputs) mark_value(v);
    for (const attribute& a : n.attributes)
      if (const block_id* b = std::get_if<block_id>(&a.value)) mark_block(*b);
  }

  graph& graph_;
  bool keep_collectives_;
  std::vector<bool> exchanges_;  // by block; empty if there is no collective
  std::vector<bool> live_nodes_;
  std::vector<bool> live_blocks_;
  std::vector<node_id> pending_;
};

}  // namespace jax2onnx::rewrite::detail
