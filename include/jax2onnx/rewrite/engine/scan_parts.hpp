// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// New Scans of parts of a Scan's body.
namespace jax2onnx::rewrite {

/// True if a block has nodes with subgraphs.
inline bool has_subgraphs(const graph& g, block_id b) {
  const auto is_block = [](const attribute& a) { return std::holds_alternative<block_id>(a.value); };
  return item_loops::any_of(g.at(b).nodes, [&](node_id n) { return item_loops::any_of(g.at(n).attributes, is_block); });
}

/// The indices of all states.
inline std::vector<std::size_t> all_states(const recurrence& r) {
  std::vector<std::size_t> all(r.state_count());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}
/// All results of a loop: its last states, then the stacked values.
inline std::vector<value> all_results(const loop_result& made) {
  std::vector<value> all = made.carried;
  all.insert(all.end(), made.collected.begin(), made.collected.end());
  return all;
}

/// Marks a Scan that was made from a Loop.
inline void mark_counted(const loop_result& made) { mark_counted(all_results(made).front()); }
/// Marks the Scan that was made from the Scan `r`, if `r` was a Loop. Returns `made`, the results of the new Scan.
inline loop_result counted_as(const recurrence& r, loop_result made) {
  if (r.is_counted()) mark_counted(made);
  return made;
}

/// The products that are computed before a part: only products that are whole nodes, or also the product of a Gemm
/// whose bias is added in the part.
enum class products_before : std::uint8_t { whole_nodes, summands };

/// Part of a Scan: some states and some results of its steps, with the nodes of the body that they need. Values
/// that `steps` provides become scan inputs.
class scan_part {
 public:
  /// `states` has indices of states, including all states that the part reads. `collected` has values of the body to be
  /// stacked.
  scan_part(const recurrence& r, const whole_steps& steps, std::vector<std::size_t> states,
            std::vector<value> collected, products_before products = products_before::whole_nodes)
      : recurrence_(r),
        graph_(r.owner()),
        states_(std::move(states)),
        collected_(std::move(collected)),
        takes_summands_(products == products_before::summands) {
    for (const std::size_t i : states_) need(r.next(i), steps);
    for (const value& v : collected_) need(v, steps);
    for (const node_id n : graph_.at(r.body()).nodes | std::views::reverse) visit(n, steps);
    std::ranges::reverse(nodes_);
  }

  /// True if the part computes or reads a value of the body.
  bool needs(const value& v) const { return needed_.contains(v.id()); }
  /// The nodes that the part computes.
  std::span<const node_id> nodes() const { return nodes_; }
  /// The values that the part reads for each step, except elements of the Scan's own sequences.
  std::vector<value> new_elements() const {
    std::vector<value> found;
    for (const value& v : elements_)
      if (!recurrence_.sequence_of(v)) found.push_back(v);
    return found;
  }
  /// True if the product of a Gemm of the part is computed before the part, for all steps.
  bool takes_products() const { return !products_.empty(); }

  /// Emits the Scan, and returns its last states and the stacked values. The part must have a state or a value to
  /// stack.
  loop_result emit(whole_steps& steps) const {
    std::vector<value> first, sequences;
    scan_options options{.carried_names = {}, .element_names = {}, .reverse = recurrence_.reverse()};
    const auto name_of = [&](const value& v) { return std::string_view(graph_.at(v.id()).name); };
    for (const std::size_t i : states_) {
      first.push_back(recurrence_.first(i));
      options.carried_types.push_back(recurrence_.state(i).type());
      options.carried_names.push_back(name_of(recurrence_.state(i)));
    }
    for (const value& v : elements_) {
      sequences.push_back(steps.of(v));
      options.element_names.push_back(name_of(v));
    }
    options.element_names.push_back("element");
    for (const value& v : products_) sequences.push_back(steps.product_of(v));
    if (sequences.empty()) sequences.push_back(recurrence_.sequence(0));
    return counted_as(recurrence_,
                      scan(
                          graph_, first, sequences,
                          [&](const auto& states, const auto& elements) { return step(states, elements); }, options));
  }

 private:
  void need(const value& v, const whole_steps& steps) {
    if (!v || steps.is_outer(v) || !needed_.insert(v.id()).second) return;
    if (steps.has(v)) elements_.push_back(v);
  }
  void visit(node_id id, const whole_steps& steps) {
    const node& n = graph_.at(id);
    const auto computed = [&](value_id v) { return needed_.contains(v) && !steps.has({graph_, v}); };
    if (item_loops::none_of(n.outputs, computed)) return;
    nodes_.push_back(id);
    const value v(graph_, n.outputs[0]);
    const bool takes_product = takes_summands_ && producer(v, "Gemm") && input_of(v, 2) && steps.has_useful_product(v);
    if (takes_product) products_.push_back(v);
    if (takes_product) need(input_of(v, 2), steps);
    else operators::for_each_read(graph_, n, [&](value_id read) { need({graph_, read}, steps); });
  }

  loop_step step(const std::vector<value>& states, const std::vector<value>& elements) const {
    block_copy made(graph_);
    for (std::size_t i = 0; i < states_.size(); ++i) made.replace(recurrence_.state(states_[i]), states[i]);
    for (std::size_t i = 0; i < elements_.size(); ++i) made.replace(elements_[i], elements[i]);
    for (const node_id n : nodes_) copy(n, made, elements);
    loop_step out;
    for (const std::size_t i : states_) out.carried.push_back(made.of(recurrence_.next(i)));
    for (const value& v : collected_) out.collected.push_back(made.of(v));
    return out;
  }
  /// Copies a node. A Gemm in `products_` becomes an Add of its bias and its product, which is one of the elements
  /// after the elements for `elements_`.
  void copy(node_id n, block_copy& made, const std::vector<value>& elements) const {
    const value v(graph_, graph_.at(n).outputs[0]);
    const auto product = std::ranges::find(products_, v.id(), &value::id);
    if (product == products_.end()) return made.copy(n);
    const auto at = elements_.size() + static_cast<std::size_t>(product - products_.begin());
    made.replace(v, add(made.of(input_of(v, 2)), elements[at]));
  }

  const recurrence& recurrence_;
  graph& graph_;
  std::vector<std::size_t> states_;
  std::vector<value> collected_, elements_, products_;
  std::vector<node_id> nodes_;
  bool takes_summands_;
  std::unordered_set<value_id> needed_;
};

}  // namespace jax2onnx::rewrite
