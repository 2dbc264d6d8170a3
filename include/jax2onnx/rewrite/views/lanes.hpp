// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/views/slice.hpp>
#include <jax2onnx/operators/views/split.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/views/operand_axes.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Lanes: parts of values at single indices along some axes. Operators that leave these axes alone compute a lane of
/// their result from lanes of their operands.
namespace jax2onnx::rewrite {

struct lane_index {
  std::int64_t axis, index;
  friend bool operator==(const lane_index&, const lane_index&) = default;
};

/// The lane of `v` at the indices `at`, which are in the order of their axes. The lane lacks these axes. Without
/// indices, the lane is all of `v`.
struct lane_place {
  value v;
  std::vector<lane_index> at = {};

  /// The index along the axis; -1 if the lane has the whole axis.
  std::int64_t index(std::int64_t axis) const {
    for (const lane_index& i : at)
      if (i.axis == axis) return i.index;
    return -1;
  }
  shape dims() const {
    shape d;
    for (std::int64_t a = 0; a < v.rank(); ++a)
      if (index(a) < 0) d.push_back(v.extent(a));
    return d;
  }
  /// The axis of the lane that is this axis of `v`.
  std::int64_t axis_in_lane(std::int64_t axis) const {
    return axis - std::ranges::count_if(at, [&](const lane_index& i) { return i.axis < axis; });
  }
  bool has_axes_of(const lane_place& other) const {
    return std::ranges::equal(at, other.at, {}, &lane_index::axis, &lane_index::axis);
  }
  /// The lane of `operand`, which broadcasts to `v`, from which this lane of `v` is computed.
  lane_place beside(const value& operand) const {
    lane_place p{operand};
    for (const lane_index& i : at) {
      const std::int64_t own = i.axis - (v.rank() - operand.rank());
      if (own >= 0) p.at.push_back({own, operand.extent(own).is(1) ? 0 : i.index});
    }
    return p;
  }
  /// The lane of `x`. `x` has `first` more axes before the axes of `v`; the lane keeps them.
  value taken_from(const value& x, std::int64_t first) const {
    value y = x;
    for (std::size_t i = at.size(); i-- > 0;) {
      const std::int64_t axis = at[i].axis + first;
      y = y.extent(axis).is(1) ? squeeze(y, {axis}) : gather(y, scalar(y.owner(), dtype::i64, at[i].index), axis);
    }
    return y;
  }
};

namespace lanes_detail {

/// The truth value of all elements of a lane of a boolean constant; absent if they differ, or are not known.
inline std::optional<bool> truth_of(const lane_place& p) {
  if (!p.v.is_constant() || p.v.dtype() != dtype::boolean) return std::nullopt;
  const auto bytes = p.v.data().view();
  std::size_t first = 0, stride = 1, count = 1;
  std::vector<std::pair<std::size_t, std::size_t>> free;  // extents and strides, the last axis first
  for (std::int64_t a = p.v.rank() - 1; a >= 0; --a) {
    const auto extent = static_cast<std::size_t>(p.v.extent(a).extent());
    if (const std::int64_t i = p.index(a); i >= 0) first += static_cast<std::size_t>(i) * stride;
    else free.emplace_back(extent, stride), count *= extent;
    stride *= extent;
  }
  if (bytes.size() != stride || count == 0) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t at = first, rest = i;
    for (const auto& [extent, step] : free) at += rest % extent * step, rest /= extent;
    if ((bytes[at] != std::byte{}) != (bytes[first] != std::byte{})) return std::nullopt;
  }
  return bytes[first] != std::byte{};
}

inline std::optional<lane_place> of_gather(const lane_place& p) {
  const value x = input_of(p.v, 0), indices = input_of(p.v, 1);
  const std::int64_t axis = axis_of(p.v);
  if (!x.extent(axis).is_constant() || indices.rank() > 1 || (indices.rank() == 1 && p.index(axis) < 0))
    return std::nullopt;
  const auto numbers = constant_integers(indices);
  if (!numbers) return std::nullopt;
  const bool is_one = indices.rank() == 0;
  const std::int64_t number = (*numbers)[is_one ? 0 : static_cast<std::size_t>(p.index(axis))];
  lane_place to{x};
  for (const lane_index& i : p.at)
    if (is_one || i.axis != axis) to.at.push_back({i.axis + (is_one && i.axis >= axis ? 1 : 0), i.index});
  to.at.push_back({axis, from_front(number, x.extent(axis).extent())});
  std::ranges::sort(to.at, {}, &lane_index::axis);
  return to;
}

/// The lane of `x` at the indices of `p`, but at `index` along `axis`.
inline lane_place with_index(const lane_place& p, const value& x, std::int64_t axis, std::int64_t index) {
  lane_place to{x, p.at};
  for (lane_index& i : to.at)
    if (i.axis == axis) i.index = index;
  return to;
}
inline std::optional<lane_place> of_concat(const lane_place& p) {
  const std::int64_t axis = axis_of(p.v);
  std::int64_t index = p.index(axis);
  if (index < 0) return std::nullopt;
  for (const value& part : inputs_of(p.v)) {
    if (!part.extent(axis).is_constant()) return std::nullopt;
    if (index < part.extent(axis).extent()) return with_index(p, part, axis, index);
    index -= part.extent(axis).extent();
  }
  return std::nullopt;
}
inline std::optional<lane_place> of_part(const lane_place& p) {
  if (const auto s = single_slice_of(p.v)) {
    if (p.index(s->axis) < 0) return std::nullopt;
    return with_index(p, input_of(p.v, 0), s->axis, s->first + p.index(s->axis) * s->step);
  }
  const auto s = split_of(p.v);
  if (!s || p.index(s->axis) < 0) return std::nullopt;
  return with_index(p, s->x, s->axis, s->first + p.index(s->axis));
}
/// The lane of the operand that a Where chooses for all of the lane; nullopt if no single operand is known to be
/// chosen.
inline std::optional<lane_place> of_choice(const lane_place& p) {
  const std::optional<bool> truth = truth_of(p.beside(input_of(p.v, 0)));
  return truth ? std::optional(p.beside(input_of(p.v, *truth ? 1 : 2))) : std::nullopt;
}
inline std::optional<lane_place> of_expand(const lane_place& p) { return p.beside(input_of(p.v, 0)); }

/// The operand's lane for a Reshape that splits and joins only axes with an index, and otherwise inserts and removes
/// extents of 1. Nullopt for any other Reshape.
inline std::optional<lane_place> of_reshape(const lane_place& p) {
  const shape &to = p.v.dims(), &from = input_of(p.v, 0).dims();
  lane_place out{input_of(p.v, 0)};
  std::size_t i = 0, k = 0;
  const auto index = [&] { return p.index(static_cast<std::int64_t>(i)); };
  while (i < to.size() || k < from.size()) {
    const bool both = i < to.size() && k < from.size();
    if (both && to[i] == from[k]) {
      if (index() >= 0) out.at.push_back({static_cast<std::int64_t>(k), index()});
      ++i, ++k;
    } else if (i < to.size() && to[i].is(1)) {
      ++i;
    } else if (k < from.size() && from[k].is(1)) {
      out.at.push_back({static_cast<std::int64_t>(k++), 0});
    } else {
      if (!both) return std::nullopt;
      std::int64_t numbers_to = 1, numbers_from = 1, flat = 0;
      const std::size_t first = k;
      do {
        const bool takes_to = numbers_to <= numbers_from;
        if (takes_to ? i >= to.size() || index() < 0 || !to[i].is_constant()
                     : k >= from.size() || !from[k].is_constant())
          return std::nullopt;
        if (takes_to) flat = flat * to[i].extent() + index(), numbers_to *= to[i++].extent();
        else numbers_from *= from[k++].extent();
      } while (numbers_to != numbers_from);
      const std::size_t known = out.at.size();
      for (std::size_t axis = k; axis-- > first; flat /= from[axis].extent())
        out.at.insert(out.at.begin() + static_cast<std::ptrdiff_t>(known),
                      {static_cast<std::int64_t>(axis), flat % from[axis].extent()});
    }
  }
  return out;
}

/// An operator that only moves elements, and the function that finds the operand's lane for a lane of its result.
struct move_row {
  operator_name op;
  std::optional<lane_place> (*of)(const lane_place& p);
};
inline constexpr move_row moves[] = {{"Gather", of_gather},  {"Concat", of_concat}, {"Slice", of_part},
                                     {"Split", of_part},     {"Where", of_choice},  {"Expand", of_expand},
                                     {"Reshape", of_reshape}};

}  // namespace lanes_detail

/// The lane of an operand that equals the lane `p`; absent if the operator computes elements, or if the operand's lane
/// has another shape.
inline std::optional<lane_place> moved_lane(const lane_place& p) {
  for (const lanes_detail::move_row& row : lanes_detail::moves)
    if (producer(p.v, row.op)) {
      auto from = row.of(p);
      return from && from->dims() == p.dims() ? from : std::nullopt;
    }
  return std::nullopt;
}

/// Follows a lane through at most `most_moves` operators that only move elements.
inline lane_place followed(lane_place p, int most_moves) {
  for (int i = 0; i < most_moves; ++i) {
    auto from = moved_lane(p);
    if (!from) break;
    p = std::move(*from);
  }
  return p;
}

/// The lane `p`, taken from the value before the Reshapes that make p.v.
inline value taken(const lane_place& p) {
  lane_place from = p;
  while (is_reshape(from.v)) {
    auto next = lanes_detail::of_reshape(from);
    if (!next) break;
    from = std::move(*next);
  }
  return reshape(from.taken_from(from.v, 0), p.dims());
}

/// A lane in all steps: one place for all steps, or one place for each step.
using lane_places = std::vector<lane_place>;

/// Computes lanes in all steps at once from known lanes, which a derived class provides.
class lanes {
 public:
  /// A lane in all steps: with the steps along a new leading axis (`has_steps`), or one value for all steps.
  struct lane {
    value v = {};
    bool has_steps = false;
    explicit operator bool() const { return bool(v); }
  };

 protected:
  ~lanes() = default;
  /// A lane that is known without its operator. Nullopt if the operator has to compute the lane; an empty lane if the
  /// lane cannot be computed.
  virtual std::optional<lane> given(const lane_places& p) = 0;
  /// True if the operand is the same in all steps, and exists outside of the steps.
  virtual bool is_shared(const value& operand, const value& of_other_step) const = 0;
  /// True if `given` is to be asked for the lane.
  virtual bool is_known(const lane_place& p) const = 0;
  /// Is called for each operator that computes lanes. Returns false if it must not compute them.
  virtual bool note(const lane_places& p) = 0;

  /// The lane at `p`; empty if it is not known. Unless emits() is true, the lane's value is a placeholder.
  lane of(lane_places p) {
    for (lane_place& place : p)
      while (!is_known(place)) {
        auto from = moved_lane(place);
        if (!from) break;
        place = std::move(*from);
      }
    const auto [at, is_new] = known_.try_emplace(key_of(p));
    if (!is_new || depth_ == most_depth) return at->second;
    ++depth_;
    at->second = computed(p);  // meanwhile, a lane that needs itself finds an empty lane
    --depth_;
    return at->second;
  }
  void begin(bool emits) {
    emits_ = emits;
    known_.clear();
  }
  bool emits() const { return emits_; }

  /// The lanes that are known, by their places.
  using key = std::vector<std::int64_t>;
  using lane_map = std::map<key, lane>;
  static key key_of(const lane_places& places) {
    key k;
    for (const lane_place& p : places) {
      k.push_back(static_cast<std::int64_t>(p.v.id()));
      k.push_back(std::ssize(p.at));
      for (const lane_index& i : p.at) k.push_back(i.axis), k.push_back(i.index);
    }
    return k;
  }

 private:
  static constexpr int most_depth = 1024;

  lane computed(const lane_places& p) {
    if (auto known = given(p)) return *known;
    const value& v = p[0].v;
    const node* n = producer(v);
    if (!n || n->outputs.size() != 1 || !has_known_types(v.owner(), *n) || !are_alike(p) || !note(p)) return {};
    if (is_view(v)) return of_view(p);
    if (producer(v, "MatMul")) return of_product(p);
    if (has_trait(v, trait::broadcasting)) return of_elements(p);
    if (has_trait(v, trait::normalization)) return of_normalization(p);
    return of_named_axes(p);
  }
  static bool are_alike(const lane_places& p) {
    const node& first = *producer(p[0].v);
    const shape dims = p[0].dims();
    return item_loops::all_of(p, [&](const lane_place& q) {
      const node* n = producer(q.v);
      return n && n->op == first.op && n->domain == first.domain && n->inputs.size() == first.inputs.size() &&
             n->outputs.size() == 1 && same_attributes(*n, first) && q.v.dtype() == p[0].v.dtype() &&
             q.has_axes_of(p[0]) && q.dims() == dims;
    });
  }

  /// The lanes of all operands, and whether one of them has steps; nullopt if one of them is not known. A lane with
  /// steps gets as many axes after the axis of the steps as the result has.
  std::optional<std::pair<std::vector<value>, bool>> operands(const lane_places& p) {
    std::pair<std::vector<value>, bool> all;
    const std::int64_t rank = std::ssize(p[0].dims());
    for (std::size_t i = 0; i < producer(p[0].v)->inputs.size(); ++i) {
      lane_places beside;
      for (const lane_place& q : p)
        if (const value x = input_of(q.v, i)) beside.push_back(q.beside(x));
      if (!beside.empty() && beside.size() != p.size()) return std::nullopt;
      const lane l = beside.empty() ? lane() : of(std::move(beside));
      if (!l && input_of(p[0].v, i)) return std::nullopt;
      all.first.push_back(emits_ && l.has_steps ? with_rank(l.v, rank + 1, 1) : l.v);
      all.second = all.second || l.has_steps;
    }
    return all;
  }
  lane of_elements(const lane_places& p) {
    const value& v = p[0].v;
    const auto all = operands(p);
    if (!all || !emits_) return all ? lane{v, all->second} : lane();
    infer::result dims{shape{}};
    for (const value& x : all->first)
      if (x) dims = infer::broadcast(dims.dims, x.dims());
    return {with_inputs(v, all->first, {v.dtype(), dims.dims}), all->second};
  }
  lane of_product(const lane_places& p) {
    const value& v = p[0].v;
    if (input_of(v, 0).rank() < 2 || input_of(v, 1).rank() < 2) return {};
    if (!p[0].at.empty() && p[0].at.back().axis >= v.rank() - 2) return {};
    const auto all = operands(p);
    if (!all || !emits_) return all ? lane{v, all->second} : lane();
    return {matmul(all->first[0], all->first[1]), all->second};
  }
  /// The shape of a lane of `v`, with the axis of steps that x has, if any.
  static shape dims_of(const lane_place& p, const lane& x) {
    shape dims = p.dims();
    if (x.has_steps) dims.insert(dims.begin(), x.v.extent(0));
    return dims;
  }
  /// The lane of operand 0 that has the axis `origins[a]` for each axis a of the lane `p`. Absent if an axis with an
  /// index has no origin, unless its extent is 1.
  static std::optional<lane_place> place_before(const lane_place& p, const ints& origins) {
    lane_place before{input_of(p.v, 0)};
    for (const lane_index& i : p.at) {
      const std::int64_t from = origins[static_cast<std::size_t>(i.axis)];
      if (from != no_axis) before.at.push_back({from, i.index});
      else if (!p.v.extent(i.axis).is(1)) return std::nullopt;
    }
    std::ranges::sort(before.at, {}, &lane_index::axis);
    return before;
  }
  /// The lanes of the operands of views; empty if an operand has no such lane.
  static lane_places places_before_views(const lane_places& p) {
    lane_places all;
    for (const lane_place& q : p) {
      auto before = is_reshape(q.v) ? lanes_detail::of_reshape(q) : std::nullopt;
      if (!before) before = place_before(q, view_of(q.v)->origins(q.v));
      if (!before) return {};
      all.push_back(std::move(*before));
    }
    return all;
  }
  /// Applies `place_before` to all places; empty if one of the results is absent.
  static lane_places places_before(const lane_places& p, const ints& origins) {
    lane_places all;
    for (const lane_place& q : p)
      if (auto before = place_before(q, origins)) all.push_back(std::move(*before));
    return all.size() == p.size() ? all : lane_places();
  }
  lane of_view(const lane_places& p) {
    const value& v = p[0].v;
    const auto perm = transpose_of(v);
    if (!perm && !is_reshape(v)) return {};
    const lane_places before = places_before_views(p);
    const lane x = before.empty() ? lane() : of(before);
    if (!x || !emits_) return x;
    if (!perm) return {reshape(x.v, dims_of(p[0], x)), x.has_steps};
    ints order;
    if (x.has_steps) order.push_back(0);
    for (const std::int64_t a : *perm)
      if (before[0].index(a) < 0) order.push_back(before[0].axis_in_lane(a) + (x.has_steps ? 1 : 0));
    return {transpose(x.v, order), x.has_steps};
  }
  bool shares_all_but_first(const lane_places& p) const {
    for (const lane_place& q : p)
      for (std::size_t i = 1; i < producer(q.v)->inputs.size(); ++i)
        if (const value x = input_of(q.v, i), y = input_of(p[0].v, i); bool(x) != bool(y) || (x && !is_shared(x, y)))
          return false;
    return true;
  }
  lane of_normalization(const lane_places& p) {
    const value& v = p[0].v;
    if ((!p[0].at.empty() && p[0].at.back().axis >= axis_of(v)) || !shares_all_but_first(p)) return {};
    const lane_places before = places_before(p, iota_axes(v.rank()));
    const lane x = before.empty() ? lane() : of(before);
    if (!x || !emits_) return x;
    std::vector<value> inputs = inputs_of(v);
    inputs[0] = x.v;
    const std::int64_t axis = p[0].axis_in_lane(axis_of(v)) + (x.has_steps ? 1 : 0);
    return {v.owner().emit(producer(v)->op, inputs, {v.dtype(), dims_of(p[0], x)},
                           operand_axes_detail::attributes_along(v, axis)),
            x.has_steps};
  }
  lane of_named_axes(const lane_places& p) {
    const value& v = p[0].v;
    const std::optional<named_axes> named = named_axes_of(v);
    if (!named || !shares_all_but_first(p)) return {};
    ints kept;
    for (std::int64_t a = 0; a < input_of(v, 0).rank(); ++a)
      if (!named->removed || !has_axis(named->axes, a)) kept.push_back(a);
    if (std::ssize(kept) != v.rank()) return {};
    for (const lane_index& i : p[0].at)
      if (has_axis(named->axes, kept[static_cast<std::size_t>(i.axis)])) return {};
    const lane_places before = places_before(p, kept);
    const lane x = before.empty() ? lane() : of(before);
    if (!x || !emits_) return x;
    ints axes = named->axes;
    for (std::int64_t& a : axes) a = before[0].axis_in_lane(a) + (x.has_steps ? 1 : 0);
    return {named->row->on(v, x.v, axes, {v.dtype(), dims_of(p[0], x)}), x.has_steps};
  }

  lane_map known_ = {};  // the computed lanes; a lane is empty while it is being computed
  int depth_ = 0;
  bool emits_ = false;
};

}  // namespace jax2onnx::rewrite
