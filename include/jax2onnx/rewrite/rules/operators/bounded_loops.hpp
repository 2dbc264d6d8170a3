// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/operators/views/functions.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/operators/recurrences.hpp>

/// Determines how often loops run. A loop with a fixed number of iterations that do nothing once a condition is false,
/// such as `bounded_while_loop` of Equinox and Diffrax, ends when the condition fails. If the condition of a loop only
/// counts iterations, their number is computed during conversion. If the condition also has other parts, that number
/// becomes a limit.
namespace jax2onnx::rewrite::detail {

using operators::block_of;
using operators::fits_its_blocks;
using operators::handed_on;
using operators::is_choice;

/// The If that computes all states of a Loop, or leaves all of them as they are.
struct whole_choice {
  node_id node = node_id::none;
  std::vector<std::size_t> results;  ///< for every state, the index of the If's result
};

inline std::optional<whole_choice> whole_choice_of(const graph& g, const loop_parts& l) {
  const block& body = g.at(l.body);
  whole_choice w;
  for (std::size_t i = 0; i < l.states.size(); ++i) {
    const value_id next = handed_on(g, body.outputs[i + 1]);
    const node_id made = g.at(next).producer;
    if (made == node_id::none || !is_choice(g.at(made)) || g.at(next).home != l.body) return std::nullopt;
    if (i == 0) w.node = made;
    const node& choice = g.at(made);
    if (made != w.node || !fits_its_blocks(g, choice)) return std::nullopt;
    const auto at = static_cast<std::size_t>(std::ranges::find(choice.outputs, next) - choice.outputs.begin());
    if (handed_on(g, g.at(block_of(choice, "else_branch")).outputs[at]) != body.inputs[i + 2]) return std::nullopt;
    w.results.push_back(at);
  }
  return w;
}

/// Returns whether `condition`, a value of a loop's body, is computed by nodes that cannot fail, and does not depend on
/// the iteration number. It may depend on the loop's states, the condition that the body receives, and values outside
/// the loop.
inline bool follows_from_states(const graph& g, block_id body, value_id condition) {
  const block& b = g.at(body);
  std::vector<value_id> pending{condition};
  std::unordered_set<value_id> seen;
  while (!pending.empty()) {
    const value_id v = pending.back();
    pending.pop_back();
    if (v == value_id::none || g.at(v).home != body || !seen.insert(v).second) continue;
    const node_id made = g.at(v).producer;
    if (made == node_id::none) {
      if (v == b.inputs[0]) return false;  // the iteration number
      continue;
    }
    if (!operators::is_function(g, g.at(made)) || operators::can_fail(g, g.at(made))) return false;
    pending.insert(pending.end(), g.at(made).inputs.begin(), g.at(made).inputs.end());
  }
  return true;
}

/// Loop(n, if c(s) then f(s) else s) -> Loop(n, c(s), f(s)).
inline outcome end_early(const context& c, const value& root) {
  const auto l = loop_of(root);
  if (!l || !l->is_loop || l->states.empty() || l->collected != 0 || !always_continues(*l, root)) return {};
  const std::optional<whole_choice> w = whole_choice_of(c.g, *l);
  if (!w) return {};
  const auto count = iterations_of(*l, root);
  if (count && *count <= c.most_unrolled && can_be_unrolled(c, l->body, *count)) return decline("the loop is unrolled");
  const value_id condition = c.g.at(w->node).inputs[0];
  if (!follows_from_states(c.g, l->body, condition))
    return decline("the condition depends on more than the loop-carried values, or its nodes may fail");
  const value going = scalar(c.g, dtype::boolean, 1);
  // Copies the nodes before the If, for the given states; returns the condition.
  const auto before = [&](block_copy& copy, const value& iteration, const std::vector<value>& states) {
    std::vector<value> inputs{iteration, going};
    inputs.insert(inputs.end(), states.begin(), states.end());
    copy.nodes_before(w->node, l->body, inputs);
    return copy.of(value(c.g, condition));
  };
  block_copy at_first(c.g);
  const value starts = before(at_first, scalar(c.g, dtype::i64, 0), l->states);
  const auto step = [&](const value& iteration, const std::vector<value>& states) {
    block_copy now(c.g), then(c.g);
    before(now, iteration, states);
    const std::vector<value> results = now.of(block_of(c.g.at(w->node), "then_branch"), {});
    loop_step next;
    for (const std::size_t i : w->results) next.carried.push_back(results[i]);
    next.keep_going = before(then, iteration, next.carried);
    return next;
  };
  outcome o;
  o.all = loop(c.g, input_of(root, 0), starts, l->states, step, state_options<loop_options>(c.g, *l)).carried;
  return o;
}

/// The nodes of a Loop's body that compute `condition`, if these are arithmetic on single numbers, such as counters
/// that start at constants. Runs these nodes to count the iterations.
class counted_condition {
 public:
  counted_condition(graph& g, const loop_parts& l, value_id condition)
      : graph_(g), loop_(l), body_(g.at(l.body)), condition_(condition) {
    std::vector<value_id> pending{condition_};
    while (is_known_ && !pending.empty()) {
      const value_id v = pending.back();
      pending.pop_back();
      if (numbers_.try_emplace(v).second) is_known_ = add(v, pending);
    }
    for (const node_id n : body_.nodes)
      if (is_known_ && needed_.contains(n)) nodes_.push_back(n);
  }

  /// The number of iterations after which the condition does not hold, at least one; nullopt if this number is not
  /// known, or takes much work to find.
  std::optional<std::int64_t> iterations() {
    constexpr std::size_t most_work = 20'000;
    for (std::size_t k = 0; is_known_ && k * (nodes_.size() + 1) < most_work; ++k) {
      set_number(body_.inputs[0], k);
      set_number(body_.inputs[1], 1);
      for (const node_id n : nodes_)
        if (!run(graph_.at(n))) return std::nullopt;
      if (numbers_.at(condition_).bits == 0) return static_cast<std::int64_t>(k) + 1;
      advance();
    }
    return std::nullopt;
  }

 private:
  /// Records the number of `v` if it is a constant. Else adds the node of the body that computes `v`, or adds `v` as an
  /// input of the body. Returns false if `v` is not a single number, is a state whose first value is not constant, or
  /// is computed by anything but arithmetic of the body.
  bool add(value_id v, std::vector<value_id>& pending) {
    const value_record& r = graph_.at(v);
    if (!r.type.is_plain() || !r.type.dims.empty() || !facts::is_decodable(r.type.type)) return false;
    numbers_[v] = {r.type.type, 0};
    if (r.constant >= 0) return set_constant(v, v);
    if (r.home != loop_.body) return false;
    if (r.producer == node_id::none) return add_input(v, pending);
    const node& n = graph_.at(r.producer);
    if (!operators::is_copy(n) && !facts::element_row_of(n)) return false;
    needed_.insert(r.producer);
    pending.insert(pending.end(), n.inputs.begin(), n.inputs.end());
    return true;
  }
  /// Adds an input of the body. Returns false for a state whose first value is not constant.
  bool add_input(value_id v, std::vector<value_id>& pending) {
    const auto at = static_cast<std::size_t>(std::ranges::find(body_.inputs, v) - body_.inputs.begin());
    if (at < 2) return true;
    if (at >= body_.inputs.size() || !set_constant(v, loop_.states[at - 2].id())) return false;
    states_.push_back(at);
    pending.push_back(body_.outputs[at - 1]);
    return true;
  }
  /// Gives `v` the number of `constant`. Returns false if `constant` is not a constant of one number.
  bool set_constant(value_id v, value_id constant) {
    const auto number = facts::element_at({graph_, constant}, {});
    if (number) numbers_[v] = *number;
    return number.has_value();
  }
  void set_number(value_id v, std::uint64_t bits) {
    if (const auto known = numbers_.find(v); known != numbers_.end()) known->second.bits = bits;
  }
  bool run(const node& n) {
    std::vector<facts::single_element> in;
    for (const value_id v : n.inputs) in.push_back(numbers_.at(v));
    facts::single_element& out = numbers_.at(n.outputs[0]);
    const auto bits = operators::is_copy(n) ? std::optional(in[0].bits) : facts::element_row_of(n)->rule(in, out.type);
    if (bits) out.bits = *bits;
    return bits.has_value();
  }
  /// Begins the next iteration: all states change at once.
  void advance() {
    std::vector<std::uint64_t> next;
    for (const std::size_t at : states_) next.push_back(numbers_.at(body_.outputs[at - 1]).bits);
    for (std::size_t i = 0; i < states_.size(); ++i) set_number(body_.inputs[states_[i]], next[i]);
  }

  graph& graph_;
  const loop_parts& loop_;
  const block& body_;
  value_id condition_;
  bool is_known_ = true;
  std::unordered_map<value_id, facts::single_element> numbers_;
  std::unordered_set<node_id> needed_;
  std::vector<node_id> nodes_;
  std::vector<std::size_t> states_;  // the indices of the states among the inputs of the body
};

/// The parts of `condition` that all have to hold: the operands of Ands in the body, or the condition itself. There are
/// at most four.
inline std::vector<value> parts_of_condition(const graph& g, block_id body, const value& condition) {
  constexpr std::size_t most = 4;
  std::vector<value> parts{condition};
  for (std::size_t i = 0; i < parts.size();) {
    const value part = parts[i];
    if (parts.size() == most || !producer(part, "And") || g.at(part.id()).home != body) {
      ++i;
      continue;
    }
    parts[i] = input_of(part, 0);
    parts.push_back(input_of(part, 1));
  }
  return parts;
}

/// Loop(c(i)) -> Loop(n), Loop(c(i) & d(s)) -> Loop(n, d(s)): a trip count replaces the parts that count.
inline outcome count_iterations(const context& c, const value& root) {
  const auto l = loop_of(root);
  if (!l || !l->is_loop || l->states.empty() || l->collected != 0 || always_continues(*l, root)) return {};
  const value most = input_of(root, 0), start = input_of(root, 1);
  const auto trips = most ? constant_integer(most) : most_trips;
  if (!trips || *trips < 1) return {};
  std::int64_t known = *trips;
  std::vector<value> others;
  const std::vector<value> parts = parts_of_condition(c.g, l->body, value(c.g, c.g.at(l->body).outputs[0]));
  for (const value& part : parts) {
    const auto count = counted_condition(c.g, *l, part.id()).iterations();
    if (count) known = std::min(known, *count);
    else others.push_back(part);
  }
  const bool starts = !start || constant_integer(start) == 1;
  if (others.size() == parts.size() || (others.empty() && !starts)) return {};
  const auto step = [&](const value& iteration, const std::vector<value>& states) {
    std::vector<value> inputs{iteration, scalar(c.g, dtype::boolean, 1)};
    inputs.insert(inputs.end(), states.begin(), states.end());
    block_copy copy(c.g);
    const std::vector<value> out = copy.of(l->body, inputs);
    loop_step next{{}, {out.begin() + 1, out.end()}};
    for (const value& other : others) {
      const value holds = copy.of(other);
      next.keep_going = next.keep_going ? logical_and(next.keep_going, holds) : holds;
    }
    return next;
  };
  outcome o;
  const value first = others.empty() ? value() : start;
  o.all =
      loop(c.g, scalar(c.g, dtype::i64, known), first, l->states, step, state_options<loop_options>(c.g, *l)).carried;
  return o;
}

inline constexpr rule bounded_loop_rules[] = {
    {"known-trips", "Loop(c(i)) -> Loop(n), Loop(c(i) & d(s)) -> Loop(n, d(s))",
     "c is arithmetic on counters, which are single numbers that start at constants; nothing is stacked; "
     "at most 20000 steps of that arithmetic; at most four parts of a condition",
     ops<"Loop">, count_iterations, stage::fuse},
    {"end-loop", "Loop(n, If(c(s), f(s), s)) -> Loop(n, c(s), f(s))",
     "c depends only on the loop-carried values s, through nodes that cannot fail; "
     "nothing is stacked; more iterations than are unrolled",
     ops<"Loop">, end_early, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
