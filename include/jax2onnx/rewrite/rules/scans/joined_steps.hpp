// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// One iteration of a Scan computes several steps, since ONNX Runtime spends as much time on an iteration as on two to
/// four small kernels.
namespace jax2onnx::rewrite::detail {

/// Makes a Scan whose iterations compute `count` steps of another Scan.
class joined_steps {
 public:
  joined_steps(const context& c, const recurrence& r, std::int64_t count) : recurrence_(r), graph_(c.g), count_(count) {
    for (std::size_t i = 0; i < r.sequence_count(); ++i)
      if (c.uses.of(r.element(i)) > 0) read_.push_back(i);
  }

  /// Returns whether all stacked values have an axis along which steps can be joined.
  bool stacks_arrays() const {
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      if (recurrence_.collected(i).rank() == 0) return false;
    return true;
  }
  /// The number of sequences that have to be sliced when the model runs: steps read them, and they are not constant.
  std::size_t divided() const {
    const auto is_computed = [&](std::size_t i) { return !recurrence_.sequence(i).is_constant(); };
    return static_cast<std::size_t>(std::ranges::count_if(read_, is_computed));
  }

  outcome emit() const {
    const recurrence& r = recurrence_;
    std::vector<value> first, sequences;
    scan_options options{.carried_names = {}, .element_names = {}, .reverse = r.reverse()};
    const auto name_of = [&](const value& v) { return std::string_view(graph_.at(v.id()).name); };
    for (std::size_t i = 0; i < r.state_count(); ++i) {
      first.push_back(r.first(i));
      options.carried_types.push_back(r.state(i).type());
      options.carried_names.push_back(name_of(r.state(i)));
    }
    for (const std::size_t i : read_)
      for (std::int64_t k = 0; k < count_; ++k) {
        sequences.push_back(slice(r.sequence(i), {0}, {k}, {r.sequence(i).extent(0)}, {count_}));
        options.element_names.push_back(name_of(r.element(i)));
      }
    if (read_.empty()) {
      sequences.push_back(slice(r.sequence(0), 0, 0, iterations()));
      options.element_names.push_back(name_of(r.element(0)));
    }
    loop_result made = scan(
        graph_, first, sequences, [&](const auto& states, const auto& elements) { return body(states, elements); },
        options);
    outcome o;
    o.all = made.carried;
    for (std::size_t i = 0; i < r.collected_count(); ++i) {
      shape dims = r.collected(i).dims();
      dims.insert(dims.begin(), r.sequence(0).extent(0));
      o.all.push_back(reshape(made.collected[i], dims));
    }
    return o;
  }

 private:
  dim iterations() const { return recurrence_.sequence(0).extent(0).extent() / count_; }
  loop_step body(const std::vector<value>& first, const std::vector<value>& elements) const {
    const recurrence& r = recurrence_;
    std::vector<value> states = first;
    std::vector<std::vector<value>> collected(r.collected_count());
    for (std::int64_t step = 0; step < count_; ++step) {
      const std::int64_t k = r.reverse() ? count_ - 1 - step : step;
      std::vector<value> inputs = states;
      for (std::size_t i = 0, next = 0; i < r.sequence_count(); ++i) {
        const bool is_one = next < read_.size() && read_[next] == i;
        inputs.push_back(elements[is_one ? static_cast<std::size_t>(static_cast<std::int64_t>(next) * count_ + k) : 0]);
        next += is_one ? 1 : 0;
      }
      const std::vector<value> outputs = block_copy(graph_).of(r.body(), inputs);
      const auto middle = outputs.begin() + std::ssize(states);
      states.assign(outputs.begin(), middle);
      for (std::size_t i = 0; i < collected.size(); ++i) collected[i].push_back(middle[static_cast<std::ptrdiff_t>(i)]);
    }
    loop_step out{{}, states, {}};
    for (std::vector<value>& all : collected) {
      if (r.reverse()) std::ranges::reverse(all);
      out.collected.push_back(concat(all, 0));
    }
    return out;
  }

  const recurrence& recurrence_;
  graph& graph_;
  std::int64_t count_;
  std::vector<std::size_t> read_ = {};  ///< the sequences whose elements the body reads
};

inline outcome join_steps(const context& c, const value& root) {
  constexpr std::int64_t most_steps = 8;
  constexpr std::size_t most_nodes = 40, most_nodes_of_step = 13;  // larger steps gain too little for their size
  const auto r = recurrence::of(root);
  if (!r || !is_onnx_runtime(c.runtime) || r->is_counted() || r->state_count() == 0 || r->sequence_count() == 0)
    return {};
  const dim steps = r->sequence(0).extent(0);
  if (!steps.is_constant()) return {};
  const std::size_t nodes = std::max(std::size_t{1}, node_total(c.g, r->body(), most_nodes));
  std::int64_t count = std::min(most_steps, static_cast<std::int64_t>(most_nodes / nodes));
  while (count > 1 && steps.extent() % count != 0) --count;
  if (count < 2 || nodes > most_nodes_of_step) return {};
  const joined_steps joined(c, *r, count);
  const std::int64_t saved = steps.extent() - steps.extent() / count;
  if (!joined.stacks_arrays() || saved <= 16 * count * static_cast<std::int64_t>(joined.divided())) return {};
  return joined.emit();
}

inline constexpr rule joined_step_rules[] = {
    {"join-steps", "Scan(n, body) -> Scan(n / k, body, ..., body)",
     "only for ONNX Runtime; k is the largest divisor of n up to 8, with at most 40 nodes in k steps; "
     "a step has at most 13 nodes; no stacked scalars; many more steps than elements that an iteration reads from "
     "sequences",
     ops<"Scan">, join_steps, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
