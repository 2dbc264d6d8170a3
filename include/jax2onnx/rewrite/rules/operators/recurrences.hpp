// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/operators/views/functions.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/ops/verbs/recurrent.hpp>
#include <jax2onnx/rewrite/engine/affine_form.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Cells of recurrent networks in the body of a Scan. Sources: ONNX LSTM, GRU and RNN (opset 14); the cells of Flax,
/// Haiku, Equinox and Keras compute the same functions, with gates in other orders. Short loops that match no cell are
/// unrolled.
namespace jax2onnx::rewrite::detail {

/// The terms of a gate; nullopt if the gate is not an affine form.
inline std::optional<std::vector<affine_term>> terms_of(const recurrence& r, const argument_part& gate) {
  affine_form form = r.form();
  if (!form.add(gate) || !form.rest().empty()) return std::nullopt;
  return form.terms();
}

/// Matches the operator `op`, or a part that a Split takes of its result. Binds the argument of the operator.
class m_part_of : composite_pattern {
 public:
  m_part_of(std::string_view op, argument_part& out) : op_(op), out_(out) {}
  bool operator()(const value& v) const&& {
    const auto part = argument_of(op_, v);
    if (part) out_ = *part;
    return part.has_value();
  }

 private:
  std::string_view op_;
  argument_part& out_;
};

/// Adds gates in ONNX's order. Returns false if a gate is not an affine form of the sequences and the hidden state, or
/// if no gate reads a sequence.
inline bool add_gates(recurrent_operands& operands, const recurrence& r, std::initializer_list<argument_part> gates) {
  for (const argument_part& gate : gates) {
    const auto terms = terms_of(r, gate);
    if (!terms || !operands.add_gate(*terms)) return false;
  }
  return operands.has_sources();
}

inline direction direction_of(const recurrence& r) { return r.reverse() ? direction::reverse : direction::forward; }

/// Zeros, with NaN if a number along the last axis is NaN.
inline value nan_along_last(const value& x) {
  const value zero = scalar(x.owner(), x.dtype(), 0);
  return reduce("ReduceSum", clip(x, zero, zero), {x.rank() - 1}, true);
}

/// Returns whether a value is a constant, or follows from constants by a few nodes.
inline bool follows_from_constants(const value& v) {
  constexpr std::size_t most_nodes = 32;
  std::vector<value> waiting{v};
  for (std::size_t seen = 0; !waiting.empty(); ++seen) {
    const value x = waiting.back();
    waiting.pop_back();
    if (!x || x.is_constant()) continue;
    if (seen > most_nodes || !producer(x) || !operators::is_function(x.owner(), *producer(x))) return false;
    for (const value& operand : inputs_of(x)) waiting.push_back(operand);
  }
  return true;
}

/// A scalar: NaN if a weight or a bias that does not follow from constants is NaN, else 0. Absent if all weights and
/// biases follow from constants.
inline value nan_of_weights(const recurrent_operands& operands) {
  value sum;
  for (const value& weights : {operands.w(), operands.r(), operands.b()}) {
    if (!weights || follows_from_constants(weights)) continue;  // constants are taken as finite
    const value zero = scalar(weights.owner(), weights.dtype(), 0);
    const value found = reduce("ReduceSum", clip(weights, zero, zero), iota_axes(weights.rank()), false);
    sum = sum ? add(sum, found) : found;
  }
  return sum;
}

/// Zeros, with NaN from the first NaN of a sequence on, or in all steps if a first state or a weight is NaN: [length,
/// 1, batch, 1]. The zeros are subtracted from the results, since ONNX Runtime's LSTM and GRU drop NaN.
inline value nan_of_steps(const recurrence& r, const recurrent_operands& operands) {
  const value first = nan_along_last(operands.x());
  const std::int64_t backward = r.reverse() ? 1 : 0;
  value sum = first.owner().emit("CumSum", {first, scalar(first.owner(), dtype::i64, 0)}, first.type(),
                                 {{"reverse", backward}});
  for (std::size_t i = 0; i < r.state_count(); ++i)
    if (const value state = operands.initial(i)) sum = add(sum, nan_along_last(state));
  if (const value weights = nan_of_weights(operands)) sum = add(sum, weights);
  return unsqueeze(sum, {1});
}

/// The results of the Scan. Each stacked result is `y` of the recurrent operator, and the last states are its `states`.
inline outcome results_of(const context& c, const recurrence& r, const recurrent_operands& operands, value y,
                          std::initializer_list<std::pair<std::size_t, value>> states) {
  outcome o;
  o.all.resize(r.result_count());
  value end;
  if (is_onnx_runtime(c.runtime) && !c.assume_finite) {
    const value nan = nan_of_steps(r, operands);
    y = sub(y, nan);
    end = pick(nan, r.reverse() ? 0 : -1, 0);
  }
  for (std::size_t i = r.state_count(); i < o.all.size(); ++i)
    o.all[i] = operands.with_batch(y, {r.sequence(0).extent(0)});
  for (const auto& [i, last] : states) o.all[i] = operands.with_batch(end ? sub(last, end) : last, {});
  return o;
}

/// Returns whether a state can be the state of a recurrent operator.
inline bool is_recurrent_state(const value& v) {
  return v.rank() >= 1 && v.extent(v.rank() - 1).is_constant() && is_floating(v.dtype());
}
/// The reason why ONNX Runtime's kernel cannot have the state `v`; empty if it can, or for other runtimes.
inline std::string_view why_no_kernel(const context& c, const value& v) {
  if (!is_onnx_runtime(c.runtime)) return {};
  if (v.dtype() != dtype::f32) return "ONNX Runtime's kernel supports only float32";
  dim_table& dims = c.g.dims();
  const auto may_be_empty = [&](dim d) { return !dims.known_nonnegative(dims.sub(d, 1)); };
  return item_loops::any_of(v.dims(), may_be_empty) ? "ONNX Runtime's kernel fails for an empty batch"
                                                    : std::string_view();
}

inline outcome fuse_lstm(const context& c, const value& root) {
  const auto r = recurrence::of(root);
  if (!r || r->state_count() != 2) return {};
  for (const std::size_t h : {1u, 0u}) {
    const value hidden = r->state(h), cell = r->state(1 - h), next_hidden = r->next(h), next_cell = r->next(1 - h);
    argument_part input, output, forget, candidate;
    const auto kept = [&](const value& v) {
      return match(v, m_commutes("Mul", m_part_of("Sigmoid", forget), m_same(cell)));
    };
    const auto added = [&](const value& v) {
      return match(v, m_commutes("Mul", m_part_of("Sigmoid", input), m_part_of("Tanh", candidate)));
    };
    if (!is_recurrent_state(hidden) || !match(next_cell, m_commutes("Add", kept, added)) ||
        !match(next_hidden, m_commutes("Mul", m_part_of("Sigmoid", output), m_op("Tanh", m_same(next_cell)))))
      continue;
    recurrent_operands operands(*r, hidden);
    if (!add_gates(operands, *r, {input, output, forget, candidate}) || !r->collects_only(next_hidden)) return {};
    if (const std::string_view why = why_no_kernel(c, hidden); !why.empty()) return decline(why);
    const auto y = jax2onnx::lstm(operands.x(), operands.w(), operands.r(), operands.b(), {}, operands.initial(h),
                                  operands.initial(1 - h), {},
                                  {.hidden_size = operands.hidden_size(), .direction = direction_of(*r)});
    return results_of(c, *r, operands, y.y, {{h, y.y_h}, {1 - h, y.y_c}});
  }
  return {};
}

/// The candidate of a GRU: a sum with one term of the hidden state, which the reset gate scales before or after the
/// product.
struct gru_candidate {
  argument_part reset = {};             ///< the argument of the gate
  value reset_state = {};               ///< Sigmoid(reset) h, if the gate scales h before the product
  std::vector<affine_term> terms = {};  ///< the terms of the sum, except `hidden_terms`
  /// The terms of the summand that the gate scales, if the gate scales the product.
  std::vector<affine_term> hidden_terms = {};
};

inline std::optional<gru_candidate> gru_candidate_of(const recurrence& r, const value& hidden, const argument_part& v) {
  affine_form form = r.form();
  gru_candidate out;
  if (!form.add(v) || form.rest().size() > 1) return std::nullopt;
  if (value scaled; !form.rest().empty()) {
    if (!match(form.rest()[0], m_commutes("Mul", m_part_of("Sigmoid", out.reset), m_value(scaled))))
      return std::nullopt;
    auto terms = terms_of(r, whole(scaled));
    if (!terms) return std::nullopt;
    out.hidden_terms = std::move(*terms);
  }
  out.terms = form.terms();
  for (const affine_term& t : out.terms) {
    if (!t.source || r.reads_sequence(t)) continue;
    const bool is_reset = match(t.source, m_commutes("Mul", m_part_of("Sigmoid", out.reset), m_same(hidden)));
    if (!is_reset || !form.rest().empty()) return std::nullopt;
    out.reset_state = t.source;
  }
  return out.reset.argument ? std::optional(std::move(out)) : std::nullopt;
}

/// next = (1 - z) candidate + z h, or with z and 1 - z exchanged (`turned`), or as candidate + z (h - candidate).
struct gru_update {
  argument_part update, candidate;  ///< the arguments of their Sigmoid and Tanh
  bool turned = false;
};

inline std::optional<gru_update> gru_update_of(const value& next, const value& h) {
  gru_update u;
  value z, n;
  const auto gate = [&](const value& v) { return match(v, m_bind(z, m_part_of("Sigmoid", u.update))); };
  const auto candidate = [&](const value& v) { return match(v, m_bind(n, m_part_of("Tanh", u.candidate))); };
  const auto rest = [&](const value& v) { return match(v, m_op("Sub", m_number(1), m_same(z))); };
  const auto gated_state = [&](const value& v) { return match(v, m_commutes("Mul", gate, m_same(h))); };
  const auto rest_of_candidate = [&](const value& v) { return match(v, m_commutes("Mul", rest, candidate)); };
  const auto gated_candidate = [&](const value& v) { return match(v, m_commutes("Mul", gate, candidate)); };
  const auto rest_of_state = [&](const value& v) { return match(v, m_commutes("Mul", rest, m_same(h))); };
  const auto difference = [&](const value& v) { return match(v, m_op("Sub", m_same(h), candidate)); };
  const auto gated_difference = [&](const value& v) { return match(v, m_commutes("Mul", gate, difference)); };
  if (match(next, m_commutes("Add", gated_state, rest_of_candidate))) return u;
  if (match(next, m_commutes("Add", gated_difference, m_same(n)))) return u;
  u.turned = true;
  if (match(next, m_commutes("Add", gated_candidate, rest_of_state))) return u;
  return std::nullopt;
}

inline outcome fuse_gru(const context& c, const value& root) {
  const auto r = recurrence::of(root);
  if (!r || r->state_count() != 1 || !is_recurrent_state(r->state(0))) return {};
  const value hidden = r->state(0);
  const auto update = gru_update_of(r->next(0), hidden);
  const auto candidate = update ? gru_candidate_of(*r, hidden, update->candidate) : std::nullopt;
  if (!candidate) return {};
  recurrent_operands operands(*r, hidden);
  const auto update_terms = terms_of(*r, update->update), reset_terms = terms_of(*r, candidate->reset);
  if (!update_terms || !reset_terms || !operands.add_gate(*update_terms, {}, update->turned) ||
      !operands.add_gate(*reset_terms) ||
      !operands.add_gate(candidate->terms, candidate->hidden_terms, false, candidate->reset_state))
    return {};
  if (!operands.has_sources() || !r->collects_only(r->next(0))) return {};
  if (const std::string_view why = why_no_kernel(c, hidden); !why.empty()) return decline(why);
  const auto y = jax2onnx::gru(operands.x(), operands.w(), operands.r(), operands.b(), {}, operands.initial(0),
                               {.hidden_size = operands.hidden_size(),
                                .direction = direction_of(*r),
                                .linear_before_reset = !candidate->hidden_terms.empty()});
  return results_of(c, *r, operands, y.y, {{0, y.y_h}});
}

inline outcome fuse_rnn(const context& c, const value& root) {
  const auto r = recurrence::of(root);
  if (!r || r->state_count() != 1 || !is_recurrent_state(r->state(0))) return {};
  argument_part gate;
  if (!match(r->next(0), m_part_of("Tanh", gate))) return {};
  recurrent_operands operands(*r, r->state(0));
  if (!add_gates(operands, *r, {gate}) || !r->collects_only(r->next(0))) return {};
  if (is_onnx_runtime(c.runtime)) return decline("ONNX Runtime's kernel of RNN is less precise than its Tanh");
  const auto y =
      jax2onnx::rnn(operands.x(), operands.w(), operands.r(), operands.b(), {}, operands.initial(0),
                    {.hidden_size = operands.hidden_size(), .direction = direction_of(*r), .activations = {"Tanh"}});
  return results_of(c, *r, operands, y.y, {{0, y.y_h}});
}

/// The largest number of nodes of an unrolled loop.
inline constexpr std::size_t most_unrolled_nodes = 512;

/// Returns whether `count` copies of a body have few enough nodes. True for at most one copy, since it replaces the
/// loop.
inline bool can_be_unrolled(const context& c, block_id body, std::int64_t count) {
  if (count <= 1) return true;
  const std::size_t limit = most_unrolled_nodes / static_cast<std::size_t>(count);
  return node_total(c.g, body, limit) <= limit;
}

/// A Loop or Scan: its first states, and the sequences that its iterations read.
struct loop_parts {
  block_id body = block_id::none;
  std::vector<value> states, sequences;
  std::size_t collected = 0;           ///< the number of stacked results
  ints read_axes, stacked_axes;        ///< the scanned axis of each sequence, the new axis of each stacked result
  ints read_backward, stack_backward;  ///< 1 if Scan reads or stacks from the last element to the first
  bool is_loop = false;
};

/// An attribute of a Scan that is a list; zeros if it is absent.
inline ints scan_list(const value& v, std::string_view name, std::size_t count) {
  return attribute_of<ints>(v, name).value_or(ints(count, 0));
}

/// The Loop or Scan that makes `v`; nullopt if the body has the wrong number of inputs or outputs, or if the node
/// counts an axis from the end.
inline std::optional<loop_parts> loop_of(const value& v) {
  const node& n = *producer(v);
  const std::vector<value> inputs = inputs_of(v);
  loop_parts l;
  l.is_loop = producer(v, "Loop") != nullptr;
  const auto body = attribute_of<block_id>(v, "body");
  const auto control = static_cast<std::size_t>(l.is_loop ? 2 : 0);
  const auto scanned = static_cast<std::uint64_t>(l.is_loop ? 0 : integer_of(v, "num_scan_inputs"));
  if (!body || inputs.size() < control || scanned > inputs.size() - control) return std::nullopt;
  l.body = *body;
  const std::size_t states = inputs.size() - control - scanned;
  const std::size_t conditions = l.is_loop ? 1 : 0, results = v.owner().at(l.body).outputs.size();
  if (results < conditions) return std::nullopt;
  const std::size_t outputs = results - conditions;
  if (v.owner().at(l.body).inputs.size() != inputs.size() || outputs != n.outputs.size() || outputs < states)
    return std::nullopt;
  const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(control),
             middle = first + static_cast<std::ptrdiff_t>(states);
  l.states.assign(first, middle);
  l.sequences.assign(middle, inputs.end());
  l.collected = outputs - states;
  l.read_axes = scan_list(v, "scan_input_axes", scanned);
  l.read_backward = scan_list(v, "scan_input_directions", scanned);
  l.stacked_axes = scan_list(v, "scan_output_axes", l.collected);
  l.stack_backward = scan_list(v, "scan_output_directions", l.collected);
  const auto negative = [](std::int64_t axis) { return axis < 0; };
  if (item_loops::any_of(l.read_axes, negative) || item_loops::any_of(l.stacked_axes, negative)) return std::nullopt;
  return l;
}

/// The names and types of a Loop's states in its body, for a loop that replaces it.
template <class Options>
Options state_options(const graph& g, const loop_parts& l) {
  Options options;
  options.carried_names.clear();
  for (std::size_t i = 0; i < l.states.size(); ++i) {
    const value_record& state = g.at(g.at(l.body).inputs[i + 2]);
    options.carried_names.push_back(state.name);
    options.carried_types.push_back(state.type);
  }
  return options;
}

/// The trip count of a Loop, although its condition may end the Loop earlier, or the number of iterations of a Scan;
/// nullopt if this number is not known.
inline std::optional<std::int64_t> iterations_of(const loop_parts& l, const value& v) {
  if (l.is_loop) {
    const auto trips = input_of(v, 0) ? constant_integer(input_of(v, 0)) : std::nullopt;
    return trips == most_trips ? std::nullopt : trips;
  }
  if (l.sequences.empty()) return std::nullopt;
  const dim extent = l.sequences[0].extent(l.read_axes[0]);
  return extent.is_constant() ? std::optional(extent.extent()) : std::nullopt;
}

/// Returns whether each of the `count` elements of a sequence has at most 1024 numbers; false if an extent is symbolic.
inline bool has_small_elements(const value& sequence, std::int64_t count) {
  std::int64_t numbers = 1;
  for (dim d : sequence.dims()) {
    if (!d.is_constant() || d.extent() > 1024 * count) return false;
    numbers = std::min(numbers * d.extent(), 1025 * count);
  }
  return numbers <= 1024 * count;
}

/// Returns whether the condition of a Loop is known to be true before each iteration; true for a Scan.
inline bool always_continues(const loop_parts& l, const value& v) {
  if (!l.is_loop) return true;
  graph& g = v.owner();
  const auto holds = [](const value& x) { return constant_integer(x) == 1; };
  value next(g, g.at(l.body).outputs[0]);
  while (producer(next, "Identity")) next = input_of(next, 0);
  const value start = input_of(v, 1);
  return (!start || holds(start)) && (next.id() == g.at(l.body).inputs[1] || holds(next));
}

/// Stacks the elements along a new axis; the last element comes first if `backward`.
inline value stack(std::vector<value> elements, std::int64_t axis, bool backward) {
  if (backward) std::reverse(elements.begin(), elements.end());
  shape dims = elements[0].dims();
  dims.put(axis, std::ssize(elements));
  if (axis == 0 && dims.size() > 1) return reshape(concat(elements, 0), dims);
  for (value& e : elements) e = unsqueeze(e, {axis});
  return concat(elements, axis);
}

/// The results of the loop, from `count` copies of its body.
inline std::vector<value> iterated(graph& g, const loop_parts& l, std::int64_t count) {
  std::vector<value> states = l.states;
  std::vector<std::vector<value>> collected(l.collected);
  for (std::int64_t k = 0; k < count; ++k) {
    std::vector<value> inputs;
    if (l.is_loop) inputs = {scalar(g, dtype::i64, k), scalar(g, dtype::boolean, 1)};
    inputs.insert(inputs.end(), states.begin(), states.end());
    for (std::size_t i = 0; i < l.sequences.size(); ++i)
      inputs.push_back(pick(l.sequences[i], l.read_backward[i] ? count - 1 - k : k, l.read_axes[i]));
    const std::vector<value> outputs = block_copy(g).of(l.body, inputs);
    const auto begin = outputs.begin() + (l.is_loop ? 1 : 0), middle = begin + std::ssize(states);
    states.assign(begin, middle);
    for (std::size_t i = 0; i < l.collected; ++i) collected[i].push_back(middle[static_cast<std::ptrdiff_t>(i)]);
  }
  for (std::size_t i = 0; i < l.collected; ++i)
    states.push_back(stack(collected[i], l.stacked_axes[i], l.stack_backward[i] != 0));
  return states;
}

/// Returns whether the first states of a loop, and all values that its body reads, follow from constants. Then a
/// runtime computes the unrolled iterations when it loads the model.
inline bool reads_only_constants(graph& g, const loop_parts& l) {
  const block& body = g.at(l.body);
  const std::size_t first = l.is_loop ? 2 : 0;
  if (!item_loops::all_of(l.states, follows_from_constants)) return false;
  std::unordered_set<value_id> own;
  for (std::size_t i = 0; i < body.inputs.size(); ++i) {
    const bool is_element = i >= first + l.states.size();
    if (!is_element || follows_from_constants(l.sequences[i - first - l.states.size()])) own.insert(body.inputs[i]);
  }
  bool all = true;
  const auto is_known = [&](value_id v) {
    if (v == value_id::none || own.contains(v)) return true;
    return g.at(v).home != l.body && follows_from_constants({g, v});
  };
  for (const node_id n : body.nodes) {
    if (!operators::is_function(g, g.at(n))) return false;
    operators::for_each_read(g, g.at(n), [&](value_id v) { all = all && is_known(v); });
    for (const value_id v : g.at(n).outputs) own.insert(v);
  }
  for (const value_id v : body.outputs) all = all && is_known(v);
  return all;
}

/// Returns whether a loop of the main graph reads only constants, and its `count` iterations have few enough nodes to
/// be unrolled. False if no loops are to be unrolled.
inline bool is_loop_of_constants(const context& c, const value& root, const loop_parts& l, std::int64_t count) {
  constexpr std::size_t most_nodes = 4096;
  if (c.most_unrolled == 0 || c.g.at(root.id()).home != block_id::main) return false;
  const std::size_t limit = most_nodes / static_cast<std::size_t>(count);
  return node_total(c.g, l.body, limit) <= limit && reads_only_constants(c.g, l);
}

inline outcome unroll(const context& c, const value& root) {
  const auto l = loop_of(root);
  const auto count = l ? iterations_of(*l, root) : std::nullopt;
  if (!count || *count < 1) return {};
  if (!is_loop_of_constants(c, root, *l, *count)) {
    if (*count > (l->is_loop ? c.most_unrolled : c.most_unrolled / 2))
      return decline("the loop has more iterations than are unrolled");
    if (!can_be_unrolled(c, l->body, *count)) return decline("the iterations have too many nodes");
  }
  if (!item_loops::all_of(l->sequences, [&](const value& v) { return has_small_elements(v, *count); }))
    return decline("the sequences may have large elements, which Scan does not copy");
  if (!always_continues(*l, root)) return decline("the loop's condition may end the loop early");
  outcome o;
  o.all = iterated(c.g, *l, *count);
  // A result may be a value that no node of this block makes, or occur twice: an Identity copies it.
  for (value& v : o.all) v = unary("Identity", v);
  return o;
}

inline constexpr rule recurrence_rules[] = {
    {"LSTM", "Scan(c' = f c + i Tanh(g), h' = o Tanh(c')) -> LSTM",
     "f, i and o are Sigmoids; g and the arguments of the Sigmoids are sums x W + h R + b; only h' is stacked; for "
     "ONNX Runtime float32, and a batch that is not empty",
     ops<"Scan">, fuse_lstm, stage::fuse},
    {"GRU", "Scan(h' = (1 - z) Tanh(n + s h) + z h) -> GRU",
     "z and s are Sigmoids; n and the arguments of the Sigmoids are sums x W + h R + b; only h' is stacked; for "
     "ONNX Runtime float32, and a batch that is not empty",
     ops<"Scan">, fuse_gru, stage::fuse},
    {"RNN", "Scan(h' = Tanh(x W + h R + b)) -> RNN", "only h' is stacked; not for ONNX Runtime", ops<"Scan">, fuse_rnn,
     stage::fuse},
    {"unroll", "Loop(n, body), Scan(body) -> body, ..., body",
     "at most as many iterations of a Loop as option unroll allows, by default 8 for ONNX Runtime and generic, 10 for "
     "portable and 64 for other targets; half as many of a Scan, whose sequences have at most 1024 numbers per "
     "iteration; at most 512 nodes; no condition; any number of iterations, with at most 4096 nodes, if all values "
     "that the iterations read follow from constants",
     ops<"Loop", "Scan">, unroll, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
