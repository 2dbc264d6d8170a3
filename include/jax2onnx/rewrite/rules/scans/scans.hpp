// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/operators/views/functions.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/operators/recurrences.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans that compute more than their states need. Values that need no state are computed for all steps before the
/// Scan. Values that no state needs are computed after the Scan. States that do not depend on other states get a
/// separate Scan. Source: loop fission and distribution of vectorizing compilers.
namespace jax2onnx::rewrite::detail {

/// Returns whether a Scan with states has so few steps, with so few nodes, that it is unrolled.
inline bool is_unrolled(const context& c, const recurrence& r) {
  const dim steps = r.sequence(0).extent(0);
  return r.state_count() > 0 && steps.is_constant() && steps.extent() <= c.most_unrolled / 2 &&
         can_be_unrolled(c, r.body(), steps.extent());
}

/// The first result of a node; absent if it has none.
inline value first_result(graph& g, node_id n) {
  const std::vector<value_id>& outputs = g.at(n).outputs;
  return outputs.empty() || outputs[0] == value_id::none ? value() : value(g, outputs[0]);
}

/// Returns whether a node mixes bits of random keys: threefry's words are uint32.
inline bool mixes_keys(const value& v) { return v && v.dtype() == dtype::u32 && producer(v, "BitwiseXor"); }

/// The Scan that makes `v`, if it reads sequences and is not unrolled.
inline std::optional<recurrence> remaining_scan(const context& c, const value& v) {
  auto r = recurrence::of(v);
  if (!r || r->sequence_count() == 0 || is_unrolled(c, *r)) return std::nullopt;
  return r;
}
/// The remaining_scan() that makes `v`, if its body has no subgraphs.
inline std::optional<recurrence> divisible_scan(const context& c, const value& v) {
  auto r = remaining_scan(c, v);
  return r && !has_subgraphs(v.owner(), r->body()) ? r : std::nullopt;
}

/// Collects the results of a Scan from its parts: states by index, and stacked values.
class scan_results {
 public:
  explicit scan_results(const recurrence& r) : recurrence_(r) { out_.all.resize(r.result_count()); }

  void add(const loop_result& part, std::span<const std::size_t> states, std::span<const value> collected) {
    for (std::size_t i = 0; i < states.size(); ++i) out_.all[states[i]] = part.carried[i];
    for (std::size_t i = 0; i < collected.size(); ++i) add(collected[i], part.collected[i]);
  }
  void add(const value& collected, const value& stacked) { stacked_[collected.id()] = stacked; }
  /// Sets the last value of a state.
  void put(std::size_t state, const value& last) { out_.all[state] = unary("Identity", last); }
  /// Returns all results. A stacked result may be a value that exists already, so an Identity copies it.
  outcome take() {
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      out_.all[recurrence_.state_count() + i] = unary("Identity", stacked_.at(recurrence_.collected(i).id()));
    return std::move(out_);
  }

 private:
  const recurrence& recurrence_;
  std::unordered_map<value_id, value> stacked_;
  outcome out_;
};

/// Distinct values, in the order in which they were added first.
class value_list {
 public:
  void add(const value& v) {
    if (known_.insert(v.id()).second) list_.push_back(v);
  }
  const std::vector<value>& list() const { return list_; }

 private:
  std::unordered_set<value_id> known_;
  std::vector<value> list_;
};

/// The stacked values for which `chosen` holds.
template <class Choose>
value_list collected_where(const recurrence& r, const Choose& chosen) {
  value_list found;
  for (std::size_t i = 0; i < r.collected_count(); ++i)
    if (const value v = r.collected(i); chosen(v)) found.add(v);
  return found;
}

inline outcome compute_before(const context& c, const value& root) {
  const auto r = remaining_scan(c, root);
  if (!r) return {};
  whole_steps steps(*r);
  for (const node_id n : c.g.at(r->body()).nodes) steps.add_node(c.g.at(n), c.g);
  const auto whole = collected_where(*r, [&](const value& v) { return steps.has(v); }).list();
  const auto rest = collected_where(*r, [&](const value& v) { return !steps.has(v); }).list();
  const scan_part part(*r, steps, all_states(*r), rest, products_before::summands);
  if (whole.empty() && part.new_elements().empty() && !part.takes_products()) return {};
  scan_results results(*r);
  if (r->state_count() > 0 || !rest.empty()) results.add(part.emit(steps), all_states(*r), rest);
  for (const value& v : whole) results.add(v, steps.of(v));
  return results.take();
}

/// Adds the values that the Scan has to stack so that `roots` can be computed after it: leaves and states.
template <class IsLeaf>
void add_leaves(value_list& leaves, const std::vector<value>& roots, const recurrence& r, const IsLeaf& is_leaf) {
  std::vector<value> waiting = roots;
  std::unordered_set<value_id> seen;
  while (!waiting.empty()) {
    const value v = waiting.back();
    waiting.pop_back();
    if (!v || !r.is_inner(v) || r.sequence_of(v) || !seen.insert(v.id()).second) continue;
    if (is_leaf(v) || !producer(v)) leaves.add(v);
    else
      for (const value& operand : inputs_of(v)) waiting.push_back(operand);
  }
}

inline outcome compute_after(const context& c, const value& root) {
  const auto r = remaining_scan(c, root);
  if (!r || r->state_count() == 0) return {};
  whole_steps steps(*r);
  const scan_part needed(*r, steps, all_states(*r), {});
  for (const std::size_t i : all_states(*r))
    if (whole_steps::can_be_stored(r->state(i))) steps.promise(r->state(i));
  std::unordered_set<value_id> results;  // values of single steps, which cannot be computed for all steps at once
  for (const node_id id : c.g.at(r->body()).nodes) {
    const node& n = c.g.at(id);
    const auto is_needed = [&](value_id v) { return v != value_id::none && needed.needs({c.g, v}); };
    const bool is_result = item_loops::none_of(n.outputs, is_needed) && !steps.add_node(n, c.g);
    for (const value_id v : n.outputs)
      if (is_needed(v) ? whole_steps::can_be_stored({c.g, v}) : is_result && whole_steps::is_small({c.g, v})) {
        steps.promise({c.g, v});
        if (is_result) results.insert(v);
      }
  }
  const auto is_leaf = [&](const value& v) { return needed.needs(v) || results.contains(v.id()); };
  const auto is_later = [&](const value& v) { return steps.has(v) && r->is_inner(v) && producer(v) && !is_leaf(v); };
  const auto later = collected_where(*r, is_later).list();
  if (later.empty()) return {};
  value_list leaves = collected_where(*r, [&](const value& v) { return !is_later(v); });
  add_leaves(leaves, later, *r, is_leaf);
  const std::vector<value>& stacked = leaves.list();
  whole_steps own(*r);
  const loop_result part = scan_part(*r, own, all_states(*r), stacked).emit(own);
  for (std::size_t i = 0; i < stacked.size(); ++i) steps.give(stacked[i], part.collected[i]);
  scan_results all(*r);
  all.add(part, all_states(*r), stacked);
  for (const value& v : later) all.add(v, steps.of(v));
  return all.take();
}

/// Finds the states of a Scan whose last values follow from values that are known after its last step: values from
/// outside, and the last values of the states that stay.
class states_after {
 public:
  states_after(const context& c, const recurrence& r) : graph_(c.g), recurrence_(r) {
    std::unordered_map<value_id, std::size_t> unread;
    for (std::size_t i = 0; i < r.state_count(); ++i)
      (c.uses.of(r.state(i)) > 0 ? keeper_ : unread).try_emplace(r.next(i).id(), i);
    const auto keep = [&](value_id v) {
      if (const auto state = unread.find(v); state != unread.end()) keeper_.insert(*state);
    };
    for (const value_id v : body().inputs) keep(v);
    for (const node_id n : body().nodes) {
      const bool follows = operators::is_function(graph_, graph_.at(n)) &&
                           item_loops::all_of(graph_.at(n).inputs, [&](value_id v) { return is_known(v); });
      for (const value_id v : graph_.at(n).outputs)
        if (follows) following_.insert(v);
        else keep(v);
    }
  }
  /// Returns whether the last value of state `i` follows from values that are known after the last step.
  bool has(std::size_t i) const {
    const auto keeper = keeper_.find(next(i));
    return keeper == keeper_.end() ? is_known(next(i)) : keeper->second != i;
  }
  /// Keeps a state in the scan although `has` returns true for it.
  void keep(std::size_t i) { keeper_.try_emplace(next(i), i); }
  /// The node that computes the last value of a state after the last step; none if that value needs no node.
  node_id node_of(std::size_t i) const { return is_leaf(next(i)) ? node_id::none : graph_.at(next(i)).producer; }
  /// All nodes that compute the last values of states, in order.
  std::vector<node_id> nodes_of(const std::vector<std::size_t>& states) const {
    std::unordered_set<node_id> found;
    std::vector<value_id> waiting;
    for (const std::size_t i : states) waiting.push_back(next(i));
    while (!waiting.empty()) {
      const value_id v = waiting.back();
      waiting.pop_back();
      if (is_leaf(v) || !found.insert(graph_.at(v).producer).second) continue;
      const std::vector<value_id>& operands = graph_.at(graph_.at(v).producer).inputs;
      waiting.insert(waiting.end(), operands.begin(), operands.end());
    }
    std::vector<node_id> nodes = body().nodes;
    std::erase_if(nodes, [&](node_id n) { return !found.contains(n); });
    return nodes;
  }

 private:
  const block& body() const { return graph_.at(recurrence_.body()); }
  value_id next(std::size_t i) const { return recurrence_.next(i).id(); }
  bool is_leaf(value_id v) const {
    return v == value_id::none || graph_.at(v).home != recurrence_.body() || graph_.at(v).constant >= 0 ||
           keeper_.contains(v);
  }
  bool is_known(value_id v) const { return is_leaf(v) || following_.contains(v); }

  const graph& graph_;
  const recurrence& recurrence_;
  std::unordered_map<value_id, std::size_t> keeper_;  ///< for each last value of states that stay, one such state
  std::unordered_set<value_id> following_;
};

/// If no step reads a state, computes its last value once, after the last step, from the other states.
inline outcome compute_last(const context& c, const value& root) {
  const auto r = remaining_scan(c, root);
  const dim steps = r ? r->sequence(0).extent(0) : dim();
  if (!r || !steps.is_constant() || steps.extent() < 1 || r->state_count() < 2) return {};
  states_after after(c, *r);
  std::vector<std::size_t> states = all_states(*r), late;
  std::ranges::copy_if(states, std::back_inserter(late), [&](std::size_t i) { return after.has(i); });
  std::erase_if(states, [&](std::size_t i) { return after.has(i); });
  const std::vector<value> collected = collected_where(*r, [](const value&) { return true; }).list();
  if (late.empty() || states.size() + collected.size() == 0) return {};
  whole_steps own(*r);
  const scan_part needed(*r, own, states, collected);
  const std::unordered_set<node_id> in_steps(needed.nodes().begin(), needed.nodes().end());
  const auto saves_nothing = [&](std::size_t i) { return in_steps.contains(after.node_of(i)); };
  const auto saved = std::ranges::stable_partition(late, saves_nothing);
  for (auto i = late.begin(); i != saved.begin(); ++i) {
    after.keep(*i);
    states.push_back(*i);
  }
  late.erase(late.begin(), saved.begin());
  if (late.empty()) return {};
  const loop_result made = scan_part(*r, own, states, collected).emit(own);
  block_copy last(c.g);
  for (std::size_t k = 0; k < states.size(); ++k) last.replace(r->next(states[k]), made.carried[k]);
  for (const node_id n : after.nodes_of(late)) last.copy(n);
  scan_results results(*r);
  results.add(made, states, collected);
  for (const std::size_t i : late) results.put(i, last.of(r->next(i)));
  return results.take();
}

/// The states on which the values of a body depend, as sets of at most 64 states.
class state_sets {
 public:
  using set = std::uint64_t;

  explicit state_sets(const recurrence& r) : reached_(r.state_count()) {
    graph& g = r.owner();
    for (std::size_t i = 0; i < r.state_count(); ++i) of_value_[r.state(i).id()] = bit(i);
    for (const node_id id : g.at(r.body()).nodes) {
      set all = 0;
      operators::for_each_read(g, g.at(id), [&](value_id v) { all |= of(v); });
      for (const value_id v : g.at(id).outputs) of_value_[v] = all;
    }
    for (std::size_t i = 0; i < reached_.size(); ++i) reached_[i] = bit(i) | of(r.next(i).id());
    for (std::size_t k = 0; k < reached_.size(); ++k)
      for (set& s : reached_)
        if (s & bit(k)) s |= reached_[k];
  }

  static set bit(std::size_t i) { return set{1} << i; }
  set of(value_id v) const {
    const auto at = of_value_.find(v);
    return at == of_value_.end() ? 0 : at->second;
  }
  set of(const value& v) const { return of(v.id()); }
  /// The states that determine the future of state `i`, itself included.
  set reached(std::size_t i) const { return reached_[i]; }
  std::vector<std::size_t> members(set s) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < reached_.size(); ++i)
      if (s & bit(i)) found.push_back(i);
    return found;
  }

 private:
  std::unordered_map<value_id, set> of_value_;
  std::vector<set> reached_;
};

/// Returns whether the states `s` need a product that depends on some of them.
inline bool has_product_of(const recurrence& r, const state_sets& sets, state_sets::set s) {
  const whole_steps steps(r);
  const scan_part part(r, steps, sets.members(s), {});
  return item_loops::any_of(part.nodes(), [&](node_id id) {
    const node& n = r.owner().at(id);
    return has_trait(n, trait::product) && (sets.of(n.outputs[0]) & s) != 0;
  });
}

/// Returns whether the states `s` are random keys, and a step draws more from them than their next values.
inline bool is_key_chain(const recurrence& r, const state_sets& sets, state_sets::set s) {
  for (const std::size_t i : sets.members(s))
    if (r.state(i).dtype() != dtype::u32) return false;
  const whole_steps steps(r);
  const scan_part part(r, steps, sets.members(s), {});
  return item_loops::any_of(r.owner().at(r.body()).nodes, [&](node_id id) {
    const value v = first_result(r.owner(), id);
    return mixes_keys(v) && !part.needs(v) && (sets.of(v) & ~s) == 0 && (sets.of(v) & s) != 0;
  });
}

/// The smallest set of states that depend on no other states. Either both the set and the other states need products,
/// or the set consists of random keys. 0 if there is no such set.
inline state_sets::set first_states(const recurrence& r, const state_sets& sets) {
  state_sets::set all = 0, best = 0;
  for (std::size_t i = 0; i < r.state_count(); ++i) all |= state_sets::bit(i);
  for (std::size_t i = 0; i < r.state_count(); ++i) {
    const state_sets::set s = sets.reached(i);
    if (best != 0 && std::popcount(s) >= std::popcount(best)) continue;
    if (s == all) continue;
    if (is_key_chain(r, sets, s) || (has_product_of(r, sets, s) && has_product_of(r, sets, all & ~s))) best = s;
  }
  return best;
}

/// Divides the Scan into two. The first one computes the states `first`, which depend on no other states, and the
/// second one computes the other states.
inline outcome split_at(const context& c, const recurrence& r, const state_sets& sets, state_sets::set first) {
  const auto is_first = [&](const value& v) { return (sets.of(v) & ~first) == 0; };
  const std::vector<std::size_t> left = sets.members(first), right = sets.members(~first);
  whole_steps steps(r), own(r);
  const scan_part needed(r, own, left, {});
  for (const std::size_t i : left) steps.promise(r.state(i));
  for (const node_id n : needed.nodes())
    for (const value_id v : c.g.at(n).outputs)
      if (v != value_id::none && sets.of(v) != 0) steps.promise({c.g, v});
  const auto last = collected_where(r, [&](const value& v) { return !is_first(v); }).list();
  const scan_part later(r, steps, right, last);
  value_list between = collected_where(r, is_first);
  for (const value& v : later.new_elements()) {
    if (!whole_steps::can_be_stored(v)) return decline("a step has too many elements");
    between.add(v);
  }
  const std::vector<value>& stacked = between.list();
  scan_results results(r);
  const loop_result before = scan_part(r, own, left, stacked).emit(own);
  for (std::size_t i = 0; i < stacked.size(); ++i) steps.give(stacked[i], before.collected[i]);
  results.add(before, left, stacked);
  results.add(later.emit(steps), right, last);
  return results.take();
}

inline outcome split_scan(const context& c, const value& root) {
  const auto r = remaining_scan(c, root);
  if (!r || r->state_count() < 2 || r->state_count() > 64) return {};
  const state_sets sets(*r);
  const state_sets::set first = first_states(*r, sets);
  return first == 0 ? outcome() : split_at(c, *r, sets, first);
}

/// The values that are known for all steps if only state `i` is unknown: elements of sequences, and values that only
/// other states determine.
inline whole_steps steps_beside(const recurrence& r, const state_sets& sets, std::size_t i) {
  whole_steps steps(r);
  for (std::size_t k = 0; k < r.state_count(); ++k)
    if ((sets.reached(k) & state_sets::bit(i)) == 0) steps.promise(r.state(k));
  for (const node_id n : r.owner().at(r.body()).nodes)
    for (const value_id v : r.owner().at(n).outputs)
      if (v != value_id::none && (sets.of(v) & state_sets::bit(i)) == 0) steps.promise({r.owner(), v});
  return steps;
}

/// Divides the Scan into two. The second one computes a state i that no other state needs and for which `chosen(i,
/// steps)` holds, and the first one computes the other states.
template <class Choose>
outcome split_last_state(const context& c, const recurrence& r, const Choose& chosen) {
  if (r.state_count() > 64) return {};
  const state_sets sets(r);
  const std::vector<std::size_t> states = all_states(r);
  for (const std::size_t i : states) {
    state_sets::set others = 0, needs = 0;
    for (const std::size_t k : states)
      if (k != i) others |= state_sets::bit(k), needs |= sets.reached(k);
    if ((needs & state_sets::bit(i)) == 0 && chosen(i, steps_beside(r, sets, i))) return split_at(c, r, sets, others);
  }
  return {};
}

inline constexpr rule scan_rules[] = {
    {"split-scan", "Scan(h' = f(h, x), k' = g(k, h, x)) -> Scan(k' = g(k, h, x)) of the h of Scan(h' = f(h, x))",
     "both parts have products, or h is a random key; "
     "more steps than are unrolled; at most 65536 elements per step",
     ops<"Scan">, split_scan, stage::fuse},
    {"scan-results", "Scan(h' = f(h), y = g(h)) -> g of all h of Scan(h' = f(h))",
     "g is elementwise or a product with a matrix; more steps than are unrolled; "
     "at most 4096 elements per step, 65536 for a product",
     ops<"Scan">, compute_after, stage::fuse},
    {"last-results", "Scan(h' = f(h), y' = g(h')) -> g of the h of Scan(h' = f(h))",
     "no step reads y; g has no subgraphs; a step has fewer nodes or states afterwards; "
     "a known number of steps, more than are unrolled",
     ops<"Scan">, compute_last, stage::fuse},
    {"scan-inputs", "Scan(h' = f(h, g(x))) of x -> Scan(h' = f(h, y)) of g(x)",
     "g is elementwise or a product with a matrix; more steps than are unrolled; "
     "at most 4096 elements per step, 65536 for a product",
     ops<"Scan">, compute_before, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
