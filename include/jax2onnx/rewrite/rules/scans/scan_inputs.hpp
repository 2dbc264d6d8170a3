// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/operators/recurrences.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Values that a Scan reads or carries only because of how the loop was written: counters, and numbers that are the
/// same in all steps.
namespace jax2onnx::rewrite::detail {

/// The largest number of values of a counter that are stored.
inline constexpr std::int64_t longest_count = 65536;

/// A counter of an integer type, which wraps as the type does.
struct counter {
  dtype type;
  std::int64_t first, step;

  /// The bytes of the counter's value after `steps` steps.
  std::string after(std::int64_t steps) const {
    const auto unsigned_of = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    return pattern_bytes(type, unsigned_of(first) + unsigned_of(step) * unsigned_of(steps));
  }
  /// The counter's values in `count` steps as a constant, from the last to the first if `reverse`.
  value numbers(graph& g, std::int64_t count, bool reverse = false) const {
    std::string all;
    for (std::int64_t k = 0; k < count; ++k) all += after(reverse ? count - 1 - k : k);
    return g.constant({type, {dim(count)}}, bytes(std::move(all)));
  }
};

/// Loop(n, body) -> Scan(body) of 0, 1, ..., n - 1. An iteration of a Scan costs less than an iteration of a Loop, and
/// other rules can divide a Scan.
inline outcome count_steps(const context& c, const value& root) {
  const auto l = loop_of(root);
  const auto count = l ? iterations_of(*l, root) : std::nullopt;
  if (!count || *count < 2 || *count > longest_count || !always_continues(*l, root)) return {};
  if (*count <= c.most_unrolled && can_be_unrolled(c, l->body, *count)) return {};
  const value steps = counter{dtype::i64, 0, 1}.numbers(c.g, *count), going = scalar(c.g, dtype::boolean, 1);
  auto options = state_options<scan_options>(c.g, *l);
  options.element_names = {"iteration"};
  const loop_result made = scan(
      c.g, l->states, {steps},
      [&](const std::vector<value>& states, const std::vector<value>& elements) {
        std::vector<value> inputs{elements[0], going};
        inputs.insert(inputs.end(), states.begin(), states.end());
        const std::vector<value> out = block_copy(c.g).of(l->body, inputs);
        const auto begin = out.begin() + 1, middle = begin + std::ssize(states);
        return loop_step{{}, {begin, middle}, {middle, out.end()}};
      },
      options);
  const auto is_random = [&](node_id n) { return mixes_keys(first_result(c.g, n)); };
  if (is_portable(c.runtime) && item_loops::none_of(c.g.at(l->body).nodes, is_random)) mark_counted(made);
  outcome o;
  o.all = all_results(made);
  return o;
}

/// The constant that each step adds to a state, which starts at a known number; nullopt for any other state.
inline std::optional<std::int64_t> growth(const recurrence& r, std::size_t i) {
  const value state = r.state(i), next = r.next(i);
  if (!is_integer(state.dtype()) || state.rank() != 0 || !constant_integer(r.first(i))) return std::nullopt;
  if (!producer(next, "Add")) return std::nullopt;
  const value a = input_of(next, 0), b = input_of(next, 1);
  if (a.id() != state.id() && b.id() != state.id()) return std::nullopt;
  return constant_integer(a.id() == state.id() ? b : a);
}

/// The replacement of an input of a body: a value from outside, or a new sequence. If there is neither, the input
/// stays.
struct new_input {
  value given = {}, sequence = {};
  bool stays() const { return !given && !sequence; }
};

/// A Scan with the steps of `r` and other inputs. `inputs` has an entry for each input of the body, states first.
/// States that do not stay have no results. `more(out)` returns further values to be stacked, given the outputs of the
/// body.
template <class More>
loop_result scan_with(const context& c, const recurrence& r, const std::vector<new_input>& inputs, const More& more) {
  std::vector<value> first, sequences;
  scan_options options{.carried_names = {}, .element_names = {}, .reverse = r.reverse()};
  const auto name_of = [&](std::size_t i) { return std::string_view(c.g.at(r.state(i).id()).name); };
  const auto add_sequence = [&](const value& sequence, std::size_t i) {
    sequences.push_back(sequence);
    options.element_names.push_back(name_of(i));
  };
  const std::size_t states = r.state_count();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].stays()) continue;
    if (i >= states) {
      add_sequence(r.first(i), i);
      continue;
    }
    first.push_back(r.first(i));
    options.carried_names.push_back(name_of(i));
    options.carried_types.push_back(r.state(i).type());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].sequence) add_sequence(inputs[i].sequence, i);
  if (sequences.empty()) sequences.push_back(r.sequence(0));
  const auto step = [&](const std::vector<value>& carried, const std::vector<value>& elements) {
    std::vector<value> of_body(inputs.size());
    auto state = carried.begin(), element = elements.begin();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      of_body[i] = !inputs[i].stays() ? inputs[i].given : i < states ? *state++ : *element++;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].sequence) of_body[i] = *element++;
    const std::vector<value> out = block_copy(c.g).of(r.body(), of_body);
    loop_step made;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (i >= states) made.collected.push_back(out[i]);
      else if (inputs[i].stays()) made.carried.push_back(out[i]);
    for (const value& v : more(out)) made.collected.push_back(v);
    return made;
  };
  return counted_as(r, scan(c.g, first, sequences, step, options));
}
inline loop_result scan_with(const context& c, const recurrence& r, const std::vector<new_input>& inputs) {
  return scan_with(c, r, inputs, [](const std::vector<value>&) { return std::vector<value>(); });
}
/// An entry for each input of the body; all of the inputs stay.
inline std::vector<new_input> same_inputs(const recurrence& r) {
  return std::vector<new_input>(r.state_count() + r.sequence_count());
}
/// All results of a Scan whose state at index `place` is computed separately.
inline outcome with_state(const loop_result& made, std::size_t place, const value& state) {
  outcome o;
  o.all = all_results(made);
  o.all.insert(o.all.begin() + static_cast<std::ptrdiff_t>(place), state);
  return o;
}

/// Scan(k' = k + d) -> Scan of the numbers k, k + d, ..., which depend on no state.
inline outcome count_by_sequence(const context& c, const value& root) {
  const auto r = recurrence::of(root);
  if (!r || r->sequence_count() == 0) return {};
  const dim steps = r->sequence(0).extent(0);
  std::size_t place = 0;
  while (place < r->state_count() && !growth(*r, place)) ++place;
  if (place == r->state_count() || !steps.is_constant() || steps.extent() > longest_count) return {};
  const counter count{r->state(place).dtype(), *constant_integer(r->first(place)), *growth(*r, place)};
  std::vector<new_input> inputs = same_inputs(*r);
  inputs[place].sequence = count.numbers(c.g, steps.extent(), r->reverse());
  const loop_result made = scan_with(c, *r, inputs);
  return with_state(made, place, unary("Identity", c.g.constant({count.type, {}}, bytes(count.after(steps.extent())))));
}

/// Scan(f(h, x)) of a sequence of equal elements -> Scan(f(h, c)).
inline outcome equal_elements(const context& c, const value& root) {
  const auto r = recurrence::of(root);
  if (!r) return {};
  std::vector<new_input> inputs = same_inputs(*r);
  for (std::size_t i = 0; i < r->sequence_count(); ++i) {
    const value sequence = r->sequence(i);
    const std::optional<ints> numbers = sequence.rank() == 1 ? constant_integers(sequence) : std::nullopt;
    if (numbers && c.uses.of(r->element(i)) > 0 && !numbers->empty() &&
        item_loops::all_equal(*numbers, numbers->front()))
      inputs[r->state_count() + i].given = scalar(c.g, sequence.dtype(), numbers->front());
  }
  if (item_loops::all_of(inputs, [](const new_input& i) { return i.stays(); })) return {};
  outcome o;
  o.all = all_results(scan_with(c, *r, inputs));
  return o;
}

inline constexpr rule scan_input_rules[] = {
    {"counted-loop", "Loop(n, body) -> Scan(body) of 0, 1, ..., n - 1",
     "2 to 65536 iterations, without a condition, that are not unrolled; "
     "if the target is neither ONNX Runtime nor generic, a Scan that remains becomes a Loop again, unless it draws "
     "random numbers",
     ops<"Loop">, count_steps, stage::fuse},
    {"counter-sequence", "Scan(k' = k + d) -> Scan of k, k + d, ...",
     "the first k is a known integer; d is a constant; at most 65536 steps", ops<"Scan">, count_by_sequence,
     stage::fuse},
    {"equal-elements", "Scan(h' = f(h, x)), x = c, c, ..., c -> Scan(h' = f(h, c))", "c is an integer or bool",
     ops<"Scan">, equal_elements, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
