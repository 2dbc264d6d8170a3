#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/rewrite/views/operand_axes.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans without feedback: a pipeline hands what a stage computes to the next stage, so that no element along the axis
/// of stages ever depends on its own past. Stage by stage, all steps are computed at once. Source: loop interchange and
/// skewing of vectorizing compilers.
namespace jax2onnx::rewrite::detail {

/// Elements along one axis of the values of a Scan's body, the lanes, in all steps, without that axis. A lane of a
/// state is what the step before made of another lane.
class lanes_of_steps {
 public:
  /// A lane in all steps, or for all steps.
  struct lane {
    value v = {};
    bool has_steps = false;  ///< it has the axis of steps in front
    explicit operator bool() const { return bool(v); }
  };

  /// All states have the axis; no_axis: each value is one lane.
  lanes_of_steps(const recurrence& r, whole_steps& steps, std::int64_t axis)
      : recurrence_(r), steps_(steps), axis_(axis), count_(axis == no_axis ? 1 : r.state(0).extent(axis).extent()) {}

  std::int64_t count() const { return count_; }
  /// Whether all lanes of what a step gives are known without the Scan.
  bool fit() {
    emits_ = false;
    known_.clear();
    for (std::size_t i = 0; i < recurrence_.result_count(); ++i)
      for (std::int64_t j = 0; j < count_; ++j)
        if (!of_result(i, j)) return false;
    return true;
  }
  /// The results of the Scan, if they fit.
  outcome results() {
    emits_ = true;
    known_.clear();
    outcome o;
    const std::int64_t steps = length();
    for (std::size_t i = 0; i < recurrence_.result_count(); ++i) {
      const bool is_state = i < recurrence_.state_count();
      const std::int64_t last = recurrence_.reverse() ? 0 : steps - 1;
      std::vector<value> lanes;
      for (std::int64_t j = 0; j < count_; ++j) {
        const value v = for_all_steps(of_result(i, j));
        const value given = is_state ? gather(v, scalar(v.owner(), dtype::i64, last), 0) : v;
        lanes.push_back(axis_ == no_axis ? given : unsqueeze(given, {is_state ? axis_ : axis_ + 1}));
      }
      const value all = axis_ == no_axis ? lanes[0] : concat(lanes, is_state ? axis_ : axis_ + 1);
      o.all.push_back(is_state && axis_ != no_axis ? all : unary("Identity", all));
    }
    return o;
  }

 private:
  using key = std::tuple<value_id, std::int64_t, std::int64_t>;

  std::int64_t length() const { return recurrence_.sequence(0).extent(0).extent(); }
  lane of_result(std::size_t i, std::int64_t j) {
    const std::size_t states = recurrence_.state_count();
    const value v = i < states ? recurrence_.next(i) : recurrence_.collected(i - states);
    if (axis_ != no_axis && (v.rank() <= axis_ || !v.extent(axis_).is(count_))) return {};
    return of(v, axis_, j);
  }

  /// Lane `j` of `v` along the axis. Absent where it is not known, or depends on itself.
  lane of(const value& v, std::int64_t axis, std::int64_t j) {
    const auto [at, is_new] = known_.try_emplace(key(v.id(), axis, j));
    if (is_new) {
      const lane found = computed(v, axis, j);
      known_[key(v.id(), axis, j)] = found;
      return found;
    }
    return at->second;
  }
  lane computed(const value& v, std::int64_t axis, std::int64_t j) {
    if (steps_.is_outer(v)) return {taken(v, axis, j)};
    if (steps_.has(v)) return {emits_ ? taken(steps_.of(v), axis == no_axis ? no_axis : axis + 1, j) : v, true};
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      if (same_value(v, recurrence_.state(i))) return axis == axis_ ? before(i, j) : lane();
    const node* n = producer(v);
    if (!n || n->outputs.size() != 1 || !has_known_types(v.owner(), *n)) return {};
    if (const auto from = moved_lane(v, axis, j)) return of(from->first, axis, from->second);
    if (const value x = chosen(v, axis, j)) return with_axes_of(v, axis, operand(v, x, axis, j));
    if (is_view(v)) return of_view(v, axis, j);
    if (producer(v, "MatMul")) return of_product(v, axis, j);
    if (has_trait(v, trait::broadcasting)) return of_elements(v, axis, j);
    if (has_trait(v, trait::normalization)) return of_normalization(v, axis, j);
    return of_named_axes(v, axis, j);
  }
  value taken(const value& v, std::int64_t axis, std::int64_t j) const {
    if (!emits_ || axis == no_axis) return v;
    return v.extent(axis).is(1) ? squeeze(v, {axis}) : gather(v, scalar(v.owner(), dtype::i64, j), axis);
  }

  value for_all_steps(const lane& l) const {
    if (l.has_steps) return l.v;
    shape dims = l.v.dims();
    dims.insert(dims.begin(), dim(length()));
    return broadcast_to(unsqueeze(l.v, {0}), dims);
  }
  /// The lane of state `i` as steps begin with it.
  lane before(std::size_t i, std::int64_t j) {
    const lane next = of(recurrence_.next(i), axis_, j);
    if (!next || !emits_) return {next.v, true};
    const value all = for_all_steps(next), first = unsqueeze(taken(recurrence_.first(i), axis_, j), {0});
    if (recurrence_.reverse()) return {concat({slice(all, 0, 1, length()), first}, 0), true};
    return {concat({first, slice(all, 0, 0, length() - 1)}, 0), true};
  }

  /// The operand and its lane that a Gather, Concat or Slice along the axis passes on.
  static std::optional<std::pair<value, std::int64_t>> moved_lane(const value& v, std::int64_t axis, std::int64_t j) {
    if (axis == no_axis) return std::nullopt;
    const value x = producer(v)->inputs.empty() ? value() : input_of(v, 0);
    if (producer(v, "Gather") && axis_of(v) == axis && input_of(v, 1).rank() == 1) {
      const auto places = constant_integers(input_of(v, 1));
      if (!places || !x.extent(axis).is_constant()) return std::nullopt;
      return std::pair(x, from_front((*places)[static_cast<std::size_t>(j)], x.extent(axis).extent()));
    }
    if (producer(v, "Concat") && axis_of(v) == axis)
      for (const value& part : inputs_of(v)) {
        if (!part.extent(axis).is_constant()) return std::nullopt;
        if (j < part.extent(axis).extent()) return std::pair(part, j);
        j -= part.extent(axis).extent();
      }
    const auto s = single_slice_of(v);
    if (s && s->axis == axis) return std::pair(x, s->first + j * s->step);
    return std::nullopt;
  }

  /// The operand that a Where chooses for all of the lane; absent if that is not known, or it is repeated.
  static value chosen(const value& v, std::int64_t axis, std::int64_t j) {
    if (!producer(v, "Where")) return {};
    const value condition = input_of(v, 0);
    const auto truth = constant_integers(condition);
    if (!truth || truth->empty()) return {};
    const std::int64_t own = axis == no_axis ? no_axis : axis - (v.rank() - condition.rank());
    std::int64_t behind = 1;
    if (own >= 0)
      for (std::int64_t a = own + 1; a < condition.rank(); ++a) behind *= condition.extent(a).extent();
    const std::int64_t extent = own >= 0 ? condition.extent(own).extent() : 1;
    std::optional<bool> all;
    for (std::int64_t i = 0; i < std::ssize(*truth); ++i) {
      if (extent > 1 && i / behind % extent != j) continue;
      const bool is_true = (*truth)[static_cast<std::size_t>(i)] != 0;
      if (all && *all != is_true) return {};
      all = is_true;
    }
    const value x = input_of(v, *all ? 1 : 2);
    for (std::int64_t a = 0; a < v.rank(); ++a) {
      const std::int64_t of_x = a - (v.rank() - x.rank());
      if (a != axis && (of_x < 0 ? !v.extent(a).is(1) : x.extent(of_x) != v.extent(a))) return {};
    }
    return x;
  }
  static std::int64_t lane_rank(const value& v, std::int64_t axis) { return v.rank() - (axis == no_axis ? 0 : 1); }
  lane with_axes_of(const value& v, std::int64_t axis, const lane& x) const {
    if (!x || !emits_) return x;
    const std::int64_t steps = x.has_steps ? 1 : 0;
    return {with_rank(x.v, lane_rank(v, axis) + steps, steps), x.has_steps};
  }

  /// The lane of an operand that stands beside lane `j` of the result `v`.
  lane operand(const value& v, const value& x, std::int64_t axis, std::int64_t j) {
    const std::int64_t own = axis == no_axis ? no_axis : axis - (v.rank() - x.rank());
    if (own < 0) return of(x, no_axis, 0);
    return of(x, own, x.extent(own).is(1) ? 0 : j);
  }
  /// The lanes of all operands, which get as many axes as the result has where they have steps; whether one has.
  std::optional<std::pair<std::vector<value>, bool>> operands(const value& v, std::int64_t axis, std::int64_t j) {
    std::pair<std::vector<value>, bool> all;
    for (const value& x : inputs_of(v)) {
      const lane l = x ? operand(v, x, axis, j) : lane();
      if (x && !l) return std::nullopt;
      all.first.push_back(emits_ && l.has_steps ? with_rank(l.v, lane_rank(v, axis) + 1, 1) : l.v);
      all.second = all.second || l.has_steps;
    }
    return all;
  }
  lane of_elements(const value& v, std::int64_t axis, std::int64_t j) {
    const auto all = operands(v, axis, j);
    if (!all || !emits_) return all ? lane{v, all->second} : lane();
    infer::result dims{shape{}};
    for (const value& x : all->first)
      if (x) dims = infer::broadcast(dims.dims, x.dims());
    return {with_inputs(v, all->first, {v.dtype(), dims.dims}), all->second};
  }
  lane of_product(const value& v, std::int64_t axis, std::int64_t j) {
    const value a = input_of(v, 0), b = input_of(v, 1);
    if (a.rank() < 2 || b.rank() < 2 || axis >= v.rank() - 2) return {};
    const auto all = operands(v, axis, j);
    if (!all || !emits_) return all ? lane{v, all->second} : lane();
    return {matmul(all->first[0], all->first[1]), all->second};
  }
  /// The shape of a lane of `v`.
  shape lane_dims(const value& v, std::int64_t axis, bool has_steps) const {
    shape dims = v.dims();
    if (axis != no_axis) dims.erase(dims.begin() + axis);
    if (has_steps) dims.insert(dims.begin(), dim(length()));
    return dims;
  }
  lane of_view(const value& v, std::int64_t axis, std::int64_t j) {
    const auto perm = transpose_of(v);
    if (!perm && !is_reshape(v)) return {};
    const std::int64_t from = axis == no_axis ? no_axis : view_of(v)->origins(v)[static_cast<std::size_t>(axis)];
    if (axis != no_axis && from == no_axis) return {};
    const lane x = of(input_of(v, 0), from, j);
    if (!x || !emits_) return x;
    if (!perm) return {reshape(x.v, lane_dims(v, axis, x.has_steps)), x.has_steps};
    ints order;
    if (x.has_steps) order.push_back(0);
    for (const std::int64_t a : *perm)
      if (a != from) order.push_back(in_lane(a, from, x.has_steps));
    return {transpose(x.v, order), x.has_steps};
  }
  /// Where a lane has the axis `a` of a value whose lanes are along the axis `from`.
  static std::int64_t in_lane(std::int64_t a, std::int64_t from, bool has_steps) {
    return a - (from != no_axis && a > from ? 1 : 0) + (has_steps ? 1 : 0);
  }
  lane of_normalization(const value& v, std::int64_t axis, std::int64_t j) {
    if (axis >= axis_of(v)) return {};
    std::vector<value> inputs = inputs_of(v);
    for (std::size_t i = 1; i < inputs.size(); ++i)
      if (inputs[i] && !steps_.is_outer(inputs[i])) return {};
    const lane x = of(inputs[0], axis, j);
    if (!x || !emits_) return x;
    inputs[0] = x.v;
    return {v.owner().emit(producer(v)->op, inputs, {v.dtype(), lane_dims(v, axis, x.has_steps)},
                           operand_axes_detail::attributes_along(v, in_lane(axis_of(v), axis, x.has_steps))),
            x.has_steps};
  }
  lane of_named_axes(const value& v, std::int64_t axis, std::int64_t j) {
    const std::optional<named_axes> named = named_axes_of(v);
    if (!named) return {};
    for (std::size_t i = 1; i < producer(v)->inputs.size(); ++i)
      if (input_of(v, i) && !steps_.is_outer(input_of(v, i))) return {};
    ints kept;
    for (std::int64_t a = 0; a < input_of(v, 0).rank(); ++a)
      if (!named->removed || !has_axis(named->axes, a)) kept.push_back(a);
    if (std::ssize(kept) != v.rank()) return {};
    const std::int64_t from = axis == no_axis ? no_axis : kept[static_cast<std::size_t>(axis)];
    if (axis != no_axis && has_axis(named->axes, from)) return {};
    const lane x = of(input_of(v, 0), from, j);
    if (!x || !emits_) return x;
    ints axes = named->axes;
    for (std::int64_t& a : axes) a = in_lane(a, from, x.has_steps);
    return {named->row->on(v, x.v, axes, {v.dtype(), lane_dims(v, axis, x.has_steps)}), x.has_steps};
  }

  const recurrence& recurrence_;
  whole_steps& steps_;
  std::int64_t axis_, count_;
  std::map<key, lane> known_ = {};  // also those that are being computed, which are absent
  bool emits_ = false;
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
    lanes_of_steps lanes(*r, steps, axis);
    if (lanes.fit()) return lanes.results();
  }
  return {};
}

inline constexpr rule lane_rules[] = {
    {"scan-without-feedback", "Scan(h' = f(h, x)) -> f of all steps, element by element along an axis of h",
     "no element of h along the axis depends on its own past, as h moves on in every step; f works element by element, "
     "is a product by matrices, or leaves the axis alone; a known number of steps; no subgraphs; "
     "at most 64 elements and 2048 nodes",
     ops<"Scan">, without_feedback, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
