// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_set>
#include <vector>

#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/operators/views/functions.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/operators/recurrences.hpp>

/// Loops of a fixed number of iterations that do nothing once a condition is false, such as `bounded_while_loop` of
/// Equinox and Diffrax, end at that point.
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

/// Returns whether `condition`, a value of a loop's body, is computed from the loop's states and values from outside
/// alone, by nodes that cannot fail.
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
    return decline("the loop's condition depends on more than its states");
  const value going = scalar(c.g, dtype::boolean, 1);
  // Copies the nodes before the If, for these states; returns the condition.
  const auto before = [&](block_copy& copy, const value& iteration, const std::vector<value>& states) {
    std::vector<value> inputs{iteration, going};
    inputs.insert(inputs.end(), states.begin(), states.end());
    copy.nodes_before(w->node, l->body, inputs);
    return copy.of(value(c.g, condition));
  };
  loop_options options;
  options.carried_names.clear();
  for (std::size_t i = 0; i < l->states.size(); ++i) {
    const value state(c.g, c.g.at(l->body).inputs[i + 2]);
    options.carried_names.push_back(c.g.at(state.id()).name);
    options.carried_types.push_back(state.type());
  }
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
  o.all = loop(c.g, input_of(root, 0), starts, l->states, step, options).carried;
  return o;
}

inline constexpr rule bounded_loop_rules[] = {
    {"end-loop", "Loop(n, If(c(s), f(s), s)) -> Loop(n, c(s), f(s))",
     "c depends only on the loop-carried values s, through nodes that cannot fail; "
     "nothing is stacked; more iterations than are unrolled",
     ops<"Loop">, end_early, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
