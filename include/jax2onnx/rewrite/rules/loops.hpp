#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/producer.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Loops and scans of a few iterations become their iterations.
namespace jax2onnx::rewrite::detail {

/// How many nodes an unrolled loop may become.
inline constexpr std::size_t most_unrolled_nodes = 256;

/// A Loop or Scan: what it starts with, and what each iteration reads.
struct loop_parts {
  block_id body = block_id::none;
  std::vector<value> states, sequences;
  std::size_t collected = 0;           ///< how many results are stacked
  ints read_axes, stacked_axes;        ///< of each sequence and each stacked result
  ints read_backward, stack_backward;  ///< 1: from the last element to the first
  bool is_loop = false;
};

/// A list of a Scan; absent: zeros.
inline ints scan_list(const value& v, std::string_view name, std::size_t count) {
  return attribute_of<ints>(v, name).value_or(ints(count, 0));
}

/// The Loop or Scan that makes `v`; nullopt where its body does not fit it.
inline std::optional<loop_parts> loop_of(const value& v) {
  const node& n = *producer(v);
  const std::vector<value> inputs = inputs_of(v);
  loop_parts l;
  l.is_loop = n.op == "Loop";
  const auto body = attribute_of<block_id>(v, "body");
  const auto control = static_cast<std::size_t>(l.is_loop ? 2 : 0);
  const auto scanned =
      static_cast<std::uint64_t>(l.is_loop ? 0 : attribute_of<std::int64_t>(v, "num_scan_inputs").value_or(0));
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
  if (std::ranges::any_of(l.read_axes, negative) || std::ranges::any_of(l.stacked_axes, negative)) return std::nullopt;
  return l;
}

/// How many iterations it has; nullopt where that is not known.
inline std::optional<std::int64_t> iterations_of(const loop_parts& l, const value& v) {
  if (l.is_loop) return input_of(v, 0) ? constant_integer(input_of(v, 0)) : std::nullopt;
  if (l.sequences.empty()) return std::nullopt;
  const dim extent = l.sequences[0].extent(l.read_axes[0]);
  return extent.is_constant() ? std::optional(extent.extent()) : std::nullopt;
}

/// Whether the elements of a sequence of `count` are of at most 1024 numbers.
inline bool has_small_elements(const value& sequence, std::int64_t count) {
  std::int64_t numbers = 1;
  for (dim d : sequence.dims()) {
    if (!d.is_constant() || d.extent() > 1024 * count) return false;
    numbers = std::min(numbers * d.extent(), 1025 * count);
  }
  return numbers <= 1024 * count;
}

/// Whether the condition of a Loop is true before each iteration.
inline bool always_continues(const loop_parts& l, const value& v) {
  if (!l.is_loop) return true;
  graph& g = v.owner();
  const auto holds = [](const value& x) { return constant_integer(x) == 1; };
  value next(g, g.at(l.body).outputs[0]);
  while (producer(next, "Identity")) next = input_of(next, 0);
  const value start = input_of(v, 1);
  return (!start || holds(start)) && (next.id() == g.at(l.body).inputs[1] || holds(next));
}

/// The elements one after another along a new axis.
inline value stack(std::vector<value> elements, std::int64_t axis, bool backward) {
  if (backward) std::reverse(elements.begin(), elements.end());
  shape dims = elements[0].dims();
  dims.put(axis, std::ssize(elements));
  if (axis == 0 && dims.size() > 1) return reshape(concat(elements, 0), dims);
  for (value& e : elements) e = unsqueeze(e, {axis});
  return concat(elements, axis);
}

/// The results after `count` iterations.
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

inline outcome unroll(const context& c, const value& root) {
  const auto l = loop_of(root);
  const auto count = l ? iterations_of(*l, root) : std::nullopt;
  if (!count || *count < 1) return {};
  if (*count > (l->is_loop ? c.most_unrolled : c.most_unrolled / 2))
    return decline("it has more iterations than are unrolled");
  const std::size_t limit = most_unrolled_nodes / static_cast<std::size_t>(*count);
  if (node_total(c.g, l->body, limit) > limit) return decline("its iterations have too many nodes");
  if (!std::ranges::all_of(l->sequences, [&](const value& v) { return has_small_elements(v, *count); }))
    return decline("its sequences may have large elements, which Scan does not copy");
  if (!always_continues(*l, root)) return decline("its condition may end it");
  outcome o;
  o.all = iterated(c.g, *l, *count);
  // Results that no node of this block makes, or that are there twice, are copied.
  for (value& v : o.all) v = unary("Identity", v);
  return o;
}

inline constexpr rule loop_rules[] = {
    {"unroll", "Loop(n, body), Scan(body) -> body, ..., body",
     "at most as many iterations as --unroll says, of a Scan half as many, 256 nodes, and elements of 1024 numbers; no "
     "condition",
     ops<"Loop", "Scan">, unroll, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
