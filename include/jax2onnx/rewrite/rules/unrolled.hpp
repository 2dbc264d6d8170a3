// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/folding.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/views/lanes.hpp>
#include <jax2onnx/rewrite/views/parts.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Steps of loops that Python has unrolled, as in the pipelines of JAX's documentation. If the same operators compute
/// each step from different elements, all steps are computed at once.
namespace jax2onnx::rewrite::detail {

/// Finds the nodes that nothing reads once `root` is removed, and the node of `root` itself. Nodes whose results are in
/// `read_again`, and nodes with several results, are left out.
class left_unread {
 public:
  left_unread(const context& c, const value& root, const std::unordered_set<value_id>& read_again)
      : context_(c), read_again_(read_again) {
    pending_.push_back(root.id());
    while (!pending_.empty()) {
      const value v(c.g, pending_.back());
      pending_.pop_back();
      const node* n = producer(v);
      if (!n || n->outputs.size() != 1) continue;
      ++nodes_;
      for (const value_id x : n->inputs)
        if (x != value_id::none) release(x);
    }
  }

  std::size_t nodes() const { return nodes_; }
  bool has(const value& v) const {
    const auto found = released_.find(v.id());
    return found != released_.end() && found->second == context_.uses.of(v) && !read_again_.contains(v.id());
  }

 private:
  void release(value_id v) {
    if (++released_[v] == context_.uses.at(v) && !read_again_.contains(v)) pending_.push_back(v);
  }

  const context& context_;
  const std::unordered_set<value_id>& read_again_;
  std::vector<value_id> pending_ = {};
  std::unordered_map<value_id, std::uint32_t> released_ = {};
  std::size_t nodes_ = 0;
};

inline bool is_first(const shape& dims, std::int64_t axis) {
  return std::all_of(dims.begin(), dims.begin() + axis, [](dim d) { return d.is(1); });
}
/// Returns whether moving an axis to the front, or from the front to its place, costs no more than a copy: nothing
/// moves, or long runs of neighbouring elements move together.
inline bool moves_in_runs(const shape& dims, std::int64_t axis) {
  constexpr std::uint64_t least_run = 16;
  return is_first(dims, axis) || element_count({dtype::f32, shape(dims.begin() + axis + 1, dims.end())}) >= least_run;
}

/// The steps of an unrolled loop as lanes, one for each step.
class lanes_of_values final : lanes {
 public:
  lanes_of_values(const context& c, const value& root) : context_(c), root_(root) {}

  /// Returns whether operators can compute these lanes at once. Each lane must be computed only once, there must be
  /// fewer nodes afterwards, and nothing may still read the nodes that compute the lanes one by one.
  bool fit(const lane_places& p) {
    if (!fit_as_they_are(p)) return false;
    if (!order_.empty() && !lanes_of_values(context_, root_).fit_as_they_are(in_order(p))) order_.clear();
    return true;
  }
  /// The lanes, which have to fit, stacked along a new leading axis.
  value stacked(const lane_places& p) {
    begin(true);
    is_at_root_ = true;
    const value all = of(in_order(p)).v;
    if (order_.empty()) return all;
    ints back(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
      back[static_cast<std::size_t>(order_[i])] = static_cast<std::int64_t>(i);
    return gather(all, int64s(all.owner(), back), 0);
  }

 private:
  static constexpr std::size_t most_computed = 131072;

  bool fit_as_they_are(const lane_places& p) {
    begin(false);
    is_at_root_ = true;
    if (!of(p).has_steps) return false;
    const left_unread unread(context_, root_, read_again_);
    const auto is_unread = [&](const value& v) { return unread.has(v); };
    return item_loops::all_of(computed_, is_unread) && made_ < unread.nodes();
  }
  lane_places in_order(const lane_places& p) const {
    if (order_.empty()) return p;
    lane_places ordered;
    for (const std::int64_t i : order_) ordered.push_back(p[static_cast<std::size_t>(i)]);
    return ordered;
  }

  bool is_known(const lane_place& p) const override { return p.v.record().home != root_.record().home; }
  bool is_shared(const value& operand, const value& of_other_step) const override {
    return same_value(operand, of_other_step);
  }
  std::optional<lane> given(const lane_places& p) override {
    const bool is_root = std::exchange(is_at_root_, false);
    const std::optional<lane> known = is_root ? std::nullopt : joined(p);
    if (known && *known && !emits())
      for (const lane_place& q : p) read_again_.insert(q.v.id());
    return known;
  }
  bool note(const lane_places& p) override {
    if (emits()) return true;
    ++made_;
    for (const lane_place& q : p) {
      if (is_known(q)) return false;
      if (!each_.try_emplace(key_of({q})).second) return false;
      computed_.push_back(q.v);
    }
    return computed_.size() <= most_computed;
  }

  /// Joins lanes that need no operator: one value in all steps, elements or parts of one value along an axis, inputs
  /// only, or constants only. Returns an empty lane if joining these lanes would be slow or would store a weight twice,
  /// and nullopt for any other lanes.
  std::optional<lane> joined(const lane_places& p) {
    const bool is_one_value =
        item_loops::all_of(p, [&](const lane_place& q) { return same_value(q.v, p[0].v) && q.has_axes_of(p[0]); });
    if (is_one_value) return along_one_axis(p);
    if (auto rows = parts_of_one(p)) return rows;
    const auto is_outside = [&](const lane_place& q) {
      return !producer(q.v) && q.v.is_constant() == p[0].v.is_constant() && q.dims() == p[0].dims() &&
             q.v.dtype() == p[0].v.dtype();
    };
    if (!item_loops::all_of(p, is_outside)) return std::nullopt;
    std::uint64_t size = 0;
    for (const lane_place& q : p)
      if (q.v.is_constant()) size += q.v.data().size();
    if (size > folding_limit) return lane();  // a weight would be stored twice
    made_ += p.size() + 1;
    if (!emits()) return lane{p[0].v, true};
    std::vector<value> all;
    for (const lane_place& q : p) all.push_back(unsqueeze(taken(q), {0}));
    return lane{concat(all, 0), true};
  }
  std::optional<lane> along_one_axis(const lane_places& p) {
    const value& v = p[0].v;
    std::optional<std::size_t> varies;
    for (std::size_t i = 0; i < p[0].at.size(); ++i) {
      if (item_loops::all_of(p, [&](const lane_place& q) { return q.at[i] == p[0].at[i]; })) continue;
      if (varies) return std::nullopt;
      varies = i;
    }
    ++made_;
    if (!varies) return lane{emits() ? taken(p[0]) : v};
    const std::int64_t axis = p[0].at[*varies].axis;
    ints indices;
    for (const lane_place& q : p) indices.push_back(q.at[*varies].index);
    if (!moves_in_runs(v.dims(), axis)) return lane();
    if (!emits()) {
      if (order_.empty() && v.extent(axis).is(std::ssize(p))) order_ = order_of(indices);
      return lane{v, true};
    }
    lane_place others = p[0];
    others.at.erase(others.at.begin() + static_cast<std::ptrdiff_t>(*varies));
    const std::int64_t in_others = others.axis_in_lane(axis);
    const value rest = others.taken_from(v, 0);
    const bool is_whole = rest.extent(in_others).is(std::ssize(indices)) && indices == iota_axes(std::ssize(indices));
    const value taken = is_whole ? rest : gather(rest, int64s(v.owner(), indices), in_others);
    return lane{with_first(taken, in_others), true};
  }

  /// Joins lanes that are neighbouring parts of one value along an axis that the lanes keep. Returns an empty lane if
  /// joining these lanes would be slow, and nullopt for any other lanes.
  std::optional<lane> parts_of_one(const lane_places& p) {
    const auto first = part_along_of(p[0].v);
    const std::int64_t rank = p[0].v.rank();
    if (!first || first->x.rank() != rank || p[0].index(first->axis) >= 0) return std::nullopt;
    const dim extent = p[0].v.extent(first->axis);
    std::int64_t next = first->first;
    for (const lane_place& q : p) {
      const auto part = part_along_of(q.v);
      if (!part || part->axis != first->axis || part->first != next || !same_value(part->x, first->x))
        return std::nullopt;
      if (q.at != p[0].at || q.v.extent(part->axis) != extent || !extent.is_constant()) return std::nullopt;
      next += extent.extent();
    }
    if (!moves_in_runs(p[0].v.dims(), first->axis)) return lane();
    made_ += 2;
    if (!emits()) return lane{first->x, true};
    const lane_place in_x{first->x, p[0].at};
    const std::int64_t axis = in_x.axis_in_lane(first->axis);
    const value all = in_x.taken_from(slice(first->x, first->axis, first->first, next), 0);
    shape dims = all.dims();
    dims[static_cast<std::size_t>(axis)] = extent;
    dims.insert(dims.begin() + axis, dim(std::ssize(p)));
    return lane{with_first(reshape(all, dims), axis), true};
  }

  /// `v` with axis `axis` moved to the front.
  static value with_first(const value& v, std::int64_t axis) {
    ints order = iota_axes(v.rank());
    std::rotate(order.begin(), order.begin() + axis, order.begin() + axis + 1);
    return transpose(v, order);
  }

  /// The positions of 0, 1, ... among the indices; empty if the indices are 0, 1, ... in this order, or are not a
  /// permutation of these numbers.
  static ints order_of(const ints& indices) {
    const ints sorted = iota_axes(std::ssize(indices));
    if (indices == sorted || !std::ranges::is_permutation(indices, sorted)) return {};
    ints order(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i)
      order[static_cast<std::size_t>(indices[i])] = static_cast<std::int64_t>(i);
    return order;
  }

  const context& context_;
  value root_;
  bool is_at_root_ = false;
  ints order_ = {};  ///< the order of the steps in the first value that they read; empty if it is unchanged
  std::size_t made_ = 0;
  std::vector<value> computed_ = {};
  lane_map each_ = {};  ///< the lanes that are computed so far
  std::unordered_set<value_id> read_again_ = {};
};

/// A Concat whose lanes are steps, possibly read at one index of another axis.
class concat_of_steps {
 public:
  /// Recognizes a Concat, or a Gather of one index from a Concat along another axis; nullopt for any other value.
  static std::optional<concat_of_steps> of(const context& c, const value& root) {
    if (producer(root, "Concat")) return concat_of_steps(root, root, {});
    const value x = input_of(root, 0);
    const auto index = input_of(root, 1).rank() == 0 ? constant_integer(input_of(root, 1)) : std::nullopt;
    const std::int64_t axis = axis_of(root);
    if (!index || !producer(x, "Concat") || axis_of(x) == axis || !c.single_use(x)) return std::nullopt;
    if (!x.extent(axis).is_constant()) return std::nullopt;
    return concat_of_steps(root, x, lane_index{axis, from_front(*index, x.extent(axis).extent())});
  }

  /// Computes all steps at once. The steps are the parts of the Concat, or the elements along the axis of the Concat.
  /// Each step may be divided into elements along another axis. Returns nothing if no such steps fit.
  outcome rolled(const context& c) {
    if (!item_loops::all_of(inputs_of(stack_), is_computed)) return {};
    for (std::int64_t other = no_axis; other < stack_.rank(); ++other) {
      if (other == axis() || (picked_ && other == picked_->axis)) continue;
      for (const bool of_parts : {false, true}) {
        if (!of_parts && !moves_in_runs(stack_.dims(), axis())) continue;
        const lane_places p = of_parts ? parts(other) : elements(other);
        lanes_of_values steps(c, root_);
        if (p.size() > 1 && have_one_operator(p) && steps.fit(p)) return unstacked(steps.stacked(p), p[0], of_parts);
      }
    }
    return {};
  }

 private:
  static constexpr std::int64_t most = 128;
  concat_of_steps(const value& root, const value& stack, std::optional<lane_index> picked)
      : root_(root), stack_(stack), picked_(picked) {}

  std::int64_t axis() const { return axis_of(stack_); }
  /// Returns whether one operator computes all lanes of a sample. If not, it would not pay to follow every lane: for
  /// example, an array that n steps fill is a chain of n Concats.
  static bool have_one_operator(const lane_places& places) {
    constexpr std::size_t samples = 8;
    constexpr int most_passed = 512;
    const node* first = nullptr;
    for (std::size_t i = 0; i < samples; ++i) {
      const lane_place p = followed(places[i * (places.size() - 1) / (samples - 1)], most_passed);
      const node* n = producer(p.v);
      if (!n || (first && n->op != first->op)) return false;
      first = n;
    }
    return true;
  }
  /// Returns false if only views and reads of parts make `part` from a constant or an input; else true.
  static bool is_computed(const value& part) {
    value v = part;
    while (is_view(v) || (producer(v) && has_trait(v, trait::takes_part))) v = input_of(v, 0);
    return producer(v) != nullptr;
  }
  /// Each lane at each index of the axis, the last axis fastest; empty if there are too many, or if the extent is not
  /// constant.
  static lane_places at_each(const lane_places& places, std::int64_t axis, dim extent) {
    if (!extent.is_constant() || extent.extent() * std::ssize(places) > most) return {};
    lane_places all;
    for (const lane_place& p : places)
      for (std::int64_t i = 0; i < extent.extent(); ++i) all.push_back(with(p, {axis, i}));
    return all;
  }
  static lane_place with(lane_place p, lane_index index) {
    p.at.push_back(index);
    std::ranges::sort(p.at, {}, &lane_index::axis);
    return p;
  }
  lane_place picked_of(const value& v) const { return picked_ ? lane_place{v, {*picked_}} : lane_place{v}; }
  lane_places elements(std::int64_t other) {
    axes_ = {axis()};
    if (other != no_axis) axes_.push_back(other);
    std::ranges::sort(axes_);
    lane_places all{picked_of(stack_)};
    for (const std::int64_t a : axes_) all = at_each(all, a, stack_.extent(a));
    return all;
  }
  /// The parts of the Concat as lanes, at each index of the axis `other` if there is one; empty if the parts have
  /// different lengths or length 1, are too many, or are slow to join. Two parts along an inner axis are left alone:
  /// they are mostly real and imaginary parts, which are faster one by one.
  lane_places parts(std::int64_t other) {
    lane_places all;
    for (const value& part : inputs_of(stack_)) all.push_back(picked_of(part));
    const dim extent = all[0].v.extent(axis());
    const auto is_as_long = [&](const lane_place& p) { return p.v.extent(axis()) == extent; };
    if (extent.is(1) || !item_loops::all_of(all, is_as_long) || std::ssize(all) > most) return {};
    shape dims = all[0].dims();
    const std::int64_t place = all[0].axis_in_lane(axis());
    dims.insert(dims.begin() + place, dim(1));
    if (!moves_in_runs(dims, place) || (all.size() < 3 && !is_first(dims, place))) return {};
    axes_ = {axis()};
    if (other == no_axis) return all;
    axes_.push_back(other);
    return at_each(all, other, stack_.extent(other));
  }

  /// Makes the result of the root from `all`, the lanes stacked along a new leading axis. `one` is the first lane.
  value unstacked(const value& all, const lane_place& one, bool of_parts) const {
    shape dims;
    for (const std::int64_t a : axes_)
      dims.push_back(a == axis() && of_parts ? dim(std::ssize(producer(stack_)->inputs)) : stack_.extent(a));
    dims.insert(dims.end(), all.dims().begin() + 1, all.dims().end());
    ints order;
    for (std::int64_t a = 0; a < stack_.rank(); ++a) {
      const auto at = std::ranges::find(axes_, a);
      if (at != axes_.end()) order.push_back(at - axes_.begin());
      if (one.index(a) < 0) order.push_back(one.axis_in_lane(a) + std::ssize(axes_));
    }
    return reshape(transpose(reshape(all, dims), order), root_.dims());
  }

  value root_, stack_;
  std::optional<lane_index> picked_;
  ints axes_ = {};  ///< the axes of the stack, in the order in which the lanes are enumerated
};

/// Concat(f(x_0), f(x_1), ...) of steps -> f(Concat(x_0, x_1, ...)).
inline outcome roll_steps(const context& c, const value& root) {
  auto steps = concat_of_steps::of(c, root);
  return steps ? steps->rolled(c) : outcome();
}

inline constexpr rule unrolled_rules[] = {
    {"rolled-steps", "Concat(f(x[0]), f(x[1]), ..., axis) -> f(x)",
     "all f(x[i]) have the same operators, applied to other elements, or to results of earlier steps; the operators "
     "are elementwise, products with matrices, or do not change the axis; nothing else reads their results; no "
     "element is computed twice; there are fewer nodes afterwards; at most 128 parts",
     ops<"Concat", "Gather">, roll_steps},
};

}  // namespace jax2onnx::rewrite::detail
