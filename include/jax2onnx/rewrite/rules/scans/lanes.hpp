// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/rewrite/views/lanes.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans without feedback: no element along an axis of the states ever depends on its own past. Pipelines are such
/// Scans, since each stage passes its results to the next stage. All steps are computed at once, stage by stage.
/// Source: loop interchange and skewing of vectorizing compilers.
namespace jax2onnx::rewrite::detail {

/// Computes the lanes of a Scan for all steps. A lane is one element of a body's value along an axis. The lane of a
/// state is a result of the step before, which computes that result from other lanes.
class lanes_of_steps final : lanes {
 public:
  /// All states must have the axis. If `axis` is no_axis, each value is one lane.
  lanes_of_steps(const recurrence& r, whole_steps& steps, std::int64_t axis)
      : recurrence_(r), steps_(steps), axis_(axis), count_(axis == no_axis ? 1 : r.state(0).extent(axis).extent()) {}

  /// Returns whether all lanes of the results of a step can be computed without the Scan.
  bool fit() {
    begin(false);
    for (std::size_t i = 0; i < recurrence_.result_count(); ++i)
      for (std::int64_t j = 0; j < count_; ++j)
        if (!of_result(i, j)) return false;
    return true;
  }
  /// The results of the Scan. Requires that fit() returned true.
  outcome results() {
    begin(true);
    outcome o;
    const std::int64_t steps = length();
    for (std::size_t i = 0; i < recurrence_.result_count(); ++i) {
      const bool is_state = i < recurrence_.state_count();
      const std::int64_t last = recurrence_.reverse() ? 0 : steps - 1;
      std::vector<value> all_lanes;
      for (std::int64_t j = 0; j < count_; ++j) {
        const value v = for_all_steps(of_result(i, j));
        const value given = is_state ? gather(v, scalar(v.owner(), dtype::i64, last), 0) : v;
        all_lanes.push_back(axis_ == no_axis ? given : unsqueeze(given, {is_state ? axis_ : axis_ + 1}));
      }
      const value all = axis_ == no_axis ? all_lanes[0] : concat(all_lanes, is_state ? axis_ : axis_ + 1);
      o.all.push_back(is_state && axis_ != no_axis ? all : unary("Identity", all));
    }
    return o;
  }

 private:
  std::int64_t length() const { return recurrence_.sequence(0).extent(0).extent(); }
  lane_place place(const value& v, std::int64_t j) const {
    return axis_ == no_axis ? lane_place{v} : lane_place{v, {{axis_, j}}};
  }
  lane of_result(std::size_t i, std::int64_t j) {
    const std::size_t states = recurrence_.state_count();
    const value v = i < states ? recurrence_.next(i) : recurrence_.collected(i - states);
    if (axis_ != no_axis && (v.rank() <= axis_ || !v.extent(axis_).is(count_))) return {};
    return of({place(v, j)});
  }

  std::optional<std::size_t> state_of(const value& v) const {
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      if (same_value(v, recurrence_.state(i))) return i;
    return std::nullopt;
  }
  bool is_known(const lane_place& p) const override { return steps_.is_outer(p.v) || steps_.has(p.v) || state_of(p.v); }
  std::optional<lane> given(const lane_places& places) override {
    const lane_place& p = places[0];
    if (steps_.is_outer(p.v)) return lane{emits() ? taken(p) : p.v};
    if (steps_.has(p.v)) return lane{emits() ? p.taken_from(steps_.of(p.v), 1) : p.v, true};
    if (const auto i = state_of(p.v)) return before(*i, p);
    return std::nullopt;
  }
  bool is_shared(const value& operand, const value&) const override { return steps_.is_outer(operand); }
  bool note(const lane_places&) override { return true; }

  value for_all_steps(const lane& l) const {
    if (l.has_steps) return l.v;
    shape dims = l.v.dims();
    dims.insert(dims.begin(), dim(length()));
    return broadcast_to(unsqueeze(l.v, {0}), dims);
  }
  /// The lane of state `i` at the beginning of each step.
  lane before(std::size_t i, const lane_place& p) {
    if (axis_ != no_axis && p.index(axis_) < 0) return {};
    const lane next = of({{recurrence_.next(i), p.at}});
    if (!next || !emits()) return {next.v, true};
    const value all = for_all_steps(next), first = unsqueeze(p.taken_from(recurrence_.first(i), 0), {0});
    if (recurrence_.reverse()) return {concat({slice(all, 0, 1, length()), first}, 0), true};
    return {concat({first, slice(all, 0, 0, length() - 1)}, 0), true};
  }

  const recurrence& recurrence_;
  whole_steps& steps_;
  std::int64_t axis_, count_;
};

/// Scan(h' = f(h, x)) whose h moves along an axis, and never depends on its own past -> f of all steps, lane by lane.
inline outcome without_feedback(const context& c, const value& root) {
  constexpr std::int64_t most_lanes = 64;
  constexpr std::size_t most_nodes = 2048;
  const auto r = recurrence::of(root);
  if (!r || r->state_count() == 0 || r->sequence_count() == 0 || has_subgraphs(c.g, r->body())) return {};
  if (!r->sequence(0).extent(0).is_constant() || r->sequence(0).extent(0).extent() < 1) return {};
  const std::size_t nodes = c.g.at(r->body()).nodes.size();
  whole_steps steps(*r);
  for (const node_id n : c.g.at(r->body()).nodes) steps.add_node(c.g.at(n), c.g);
  for (std::int64_t axis = no_axis; axis < r->state(0).rank(); ++axis) {
    const auto has_lanes = [&](std::size_t i) {
      return r->state(i).rank() > axis && r->state(i).extent(axis) == r->state(0).extent(axis);
    };
    if (axis != no_axis) {
      const dim count = r->state(0).extent(axis);
      if (!count.is_constant() || count.extent() < 2 || count.extent() > most_lanes) continue;
      if (nodes * static_cast<std::size_t>(count.extent()) > most_nodes) continue;
      if (!item_loops::all_of(all_states(*r), has_lanes)) continue;
    }
    lanes_of_steps found(*r, steps, axis);
    if (found.fit()) return found.results();
  }
  return {};
}

inline constexpr rule lane_rules[] = {
    {"scan-without-feedback", "Scan(h' = f(h, x)) -> f of all steps, element by element along an axis of h",
     "h moves along the axis in every step, so that no element depends on its own past; "
     "f is elementwise, a product with matrices, or does not change the axis; "
     "a known number of steps; no subgraphs; at most 64 elements and 2048 nodes",
     ops<"Scan">, without_feedback, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
