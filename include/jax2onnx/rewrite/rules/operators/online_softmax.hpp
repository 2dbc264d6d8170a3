// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/visible_rows.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/views/move.hpp>
#include <jax2onnx/rewrite/views/parts.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Attention that goes through the keys block by block and keeps the maximum so far, the sum and the weighted sum of
/// exponentials, which are rescaled when the maximum grows (Milakov and Gimelshein 2018, "Online normalizer calculation
/// for softmax"; Dao et al. 2022, "FlashAttention"). Such attention becomes a Softmax of all scores and one product.
namespace jax2onnx::rewrite::detail {

/// v without Reshapes that only move extents of 1, and without Expands.
inline value without_ones_around(value v) {
  while ((is_reshape(v) && moves_only_ones(input_of(v, 0).dims(), v.dims())) || producer(v, "Expand"))
    v = input_of(v, 0);
  return v;
}

/// A value without the views and Expands that were applied to it, and the parts of its axes in the order in which these
/// operators leave them. An Expand of the last axis is left out.
struct value_in_order {
  value x;
  axis_parts order;
};
inline axis_parts order_of(const value& x, const axis_layout& l) { return joined(x.owner().dims(), all_parts(l)); }
inline std::optional<value_in_order> without_views_around(value v) {
  std::vector<value> views;
  for (; view_of(v); v = input_of(v, 0)) views.push_back(v);
  const std::optional<axis_layout> layout = layout_through(views, v);
  if (!layout) return std::nullopt;
  value_in_order out{v, order_of(v, *layout)};
  if (!out.order.empty() && out.order.back().axis == no_axis) out.order.pop_back();
  return out;
}

/// Returns whether `v` has one number for each row of `x`, or one for each element of `x`. The rows lie along the last
/// axis of `x`.
inline bool is_of_rows(const value& v, const value& x) {
  shape rows = x.dims();
  if (v.dims() == rows) return true;
  if (!rows.empty()) rows[rows.size() - 1] = 1;
  return adds_leading_ones(v.dims(), rows);
}

inline constexpr double ln_2 = 0.693147180559945309;

/// b^(x - y) for b = e or 2. `y` is the subtrahend without the nodes that broadcast it to the shape of x.
struct power {
  value x, y;
  bool binary = false;
};
inline std::optional<power> power_of(const value& v) {
  const bool binary = producer(v, "Pow") && splat_number(input_of(v, 0)) == 2;
  if (!binary && !producer(v, "Exp")) return std::nullopt;
  const value difference = input_of(v, binary ? 1 : 0);
  if (!producer(difference, "Sub")) return std::nullopt;
  const value x = input_of(difference, 0), y = input_of(difference, 1);
  if (x.dims() == difference.dims() ? !is_of_rows(y, x) : !x.is_constant()) return std::nullopt;
  return power{input_of(difference, 0), without_ones_around(input_of(difference, 1)), binary};
}

/// The sum and the maximum before a step. Before the first step, there is no sum.
struct scaled_sum {
  value before, maximum_before;
};

/// A summand that has the shape of the sum, and the other summand, which is absent if there is none.
struct summand {
  value added, rest;
};
inline std::vector<summand> summands_of(const value& v) {
  if (!producer(v, "Add")) return {{v, {}}};
  std::vector<summand> all;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
    if (input_of(v, i).dims() == v.dims()) all.push_back({input_of(v, i), input_of(v, 1 - i)});
  return all;
}

/// A block of scores and the values that they weight.
struct block_of_scores {
  value scores, values;
  std::vector<value> views_before, views_after;  ///< views of the exponentials, and of their product with the values
};

class online_softmax {
 public:
  /// Reads the blocks of a quotient o / l from the last to the first. Returns false if `root` has another form.
  bool read(const value& root) {
    const auto divisor = without_views_around(input_of(root, 1));
    value o = input_of(root, 0), l = divisor ? divisor->x : value();
    if (!l || o.dims() != root.dims() || !is_of_rows(input_of(root, 1), root)) return false;
    while (blocks_.size() < most_blocks) {
      if (!read_block(o, l)) return false;
      if (o) continue;
      std::ranges::reverse(blocks_);
      return blocks_.size() > 1 && fit() && divisor->order == *order_of_rows(blocks_[0]);
    }
    return false;
  }

  /// The number that the maximum of a row starts with; -infinity if it starts with the first block's maximum.
  double least() const { return least_; }
  /// Returns whether masks may make all scores of a row of the first block -infinity although queries and keys are
  /// finite.
  bool has_masks() const {
    value v = blocks_[0].scores;
    for (;;) {
      if (is_view(v) || ((producer(v, "Mul") || producer(v, "Div")) && splat_number(input_of(v, 1))))
        v = input_of(v, 0);
      else if (const value shown = shown_in_all_rows(v)) v = shown;
      else return !producer(v, "MatMul");
    }
  }
  const value& first_scores() const { return blocks_[0].scores; }
  /// Returns whether the powers are of 2, not of e.
  bool is_binary() const { return binary_; }
  /// Returns whether there are Reshapes between the exponentials and the sum to which their product is added.
  bool reshapes() const {
    return item_loops::any_of(blocks_[0].views_before, is_reshape) ||
           item_loops::any_of(blocks_[0].views_after, is_reshape);
  }
  /// All scores, as exponents of e.
  value scores() const {
    std::vector<value> all;
    for (const block_of_scores& b : blocks_) all.push_back(binary_ ? multiplied(b.scores, ln_2) : b.scores);
    return concat(all, all[0].rank() - 1);
  }
  /// The product of the weights of all blocks with all values.
  value weighted(const value& weights) const {
    value x = weights;
    for (const value& view : blocks_[0].views_before)
      x = viewed_alike(view, x, with_extent(view, view.rank() - 1, x.dims().back()));
    std::vector<value> all;
    for (const block_of_scores& b : blocks_) all.push_back(b.values);
    value y = matmul(x, concat(all, all[0].rank() - 2));
    for (const value& view : blocks_[0].views_after) y = viewed_alike(view, y, view.dims());
    return y;
  }
  /// Rearranges `rows`, which has one number for each row of the scores, to the order of the result, with the extents
  /// `dims`.
  value in_order(const value& rows, const shape& dims) const {
    return rearranged(rows, order_of(rows, own_layout(rows)), *order_of_rows(blocks_[0]), dims);
  }
  /// If blocks of keys go around a ring of devices (Liu et al. 2023, "Ring Attention"), each device sees them in
  /// another order. Reorders the blocks so that block r is the same for all devices: the order of a row's blocks does
  /// not matter.
  void turn_ring(const context& c) {
    const value& scores = blocks_[0].scores;
    for (std::int64_t axis = 0; axis < scores.rank() - 2; ++axis)
      if (scores.extent(axis).is(std::ssize(blocks_)) && (turn_ring(c, axis, 1) || turn_ring(c, axis, -1))) return;
  }

 private:
  static constexpr std::size_t most_blocks = 64;

  /// The operand of a Where that is selected for at least one key of every row, if the other one is a constant; else
  /// absent.
  static value shown_in_all_rows(const value& v) {
    if (!producer(v, "Where")) return {};
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
      if (input_of(v, 3 - i).is_constant() && has_in_all_rows(input_of(v, 0), i == 1)) return input_of(v, i);
    return {};
  }

  /// The axis of the values that corresponds to this axis of the scores; negative if there is none.
  static std::int64_t axis_of_values(const block_of_scores& b, std::int64_t axis) {
    for (const value& view : b.views_before) {
      const ints origins = view_of(view)->origins(view);
      const auto to = std::ranges::find(origins, axis);
      if (to == origins.end()) return -1;
      axis = to - origins.begin();
    }
    const std::int64_t rank = b.views_before.empty() ? b.scores.rank() : b.views_before.back().rank();
    return axis < rank - 2 ? axis - (rank - b.values.rank()) : -1;
  }
  /// Reorders the blocks of a ring in which device i has block j in step (i - j) * direction, counted around the ring.
  /// Returns false if the blocks have another order.
  bool turn_ring(const context& c, std::int64_t axis, std::int64_t direction) {
    const std::int64_t of_values = axis_of_values(blocks_[0], axis), n = std::ssize(blocks_);
    if (of_values < 0) return false;
    std::vector<value> all_scores, all_values;
    for (const bool emits : {false, true})
      for (std::int64_t j = 0; j < n; ++j) {
        std::vector<value> scores, values;
        for (std::int64_t i = 0; i < n; ++i) {
          const block_of_scores& b = blocks_[static_cast<std::size_t>(((i - j) * direction + n) % n)];
          scores.push_back(b.scores);
          values.push_back(b.values);
        }
        joined_parts turn(c, iota_axes(n));
        if (!emits && (!turn.fit(values, of_values) || !turn.fit(scores, axis))) return false;
        if (!emits) continue;
        all_values.push_back(turn.join(values, of_values));
        if (!all_values.back().extent(of_values).is(1)) return false;  // the values do not go around
        all_scores.push_back(turn.join(scores, axis));
      }
    for (std::size_t j = 0; j < blocks_.size(); ++j) {
      blocks_[j].values = all_values[j];
      blocks_[j].scores = all_scores[j];
    }
    return true;
  }

  /// Reads the last block of `o` and `l`, and replaces both by the sums before this block. The sums before the first
  /// block are absent. Returns false if there is no such block.
  bool read_block(value& o, value& l) {
    block_of_scores b;
    const auto [exponentials, maximum, rest] = read_product(o, b);
    if (!exponentials) return false;
    const auto is_added = [&](const summand& s) {
      const value sum = without_ones_around(s.added);
      const auto r = producer(sum, "ReduceSum") ? reduction_of(sum) : std::nullopt;
      return r && same_value(input_of(sum, 0), exponentials) && r->axes == ints{exponentials.rank() - 1};
    };
    const std::vector<summand> sums = summands_of(l);
    const auto sum = std::ranges::find_if(sums, is_added);
    if (sum == sums.end()) return false;
    const std::optional<axis_parts> order = order_of_rows(b);
    if (!order) return false;
    const auto o_before = scaled(rest, maximum, *order),
               l_before = scaled(sum->rest, maximum, order_of(l, own_layout(l)));
    if (!o_before || !l_before || !read_maximum(maximum, b.scores, *o_before, *l_before)) return false;
    if ((o_before->before && rest.dims() != o.dims()) || (l_before->before && sum->rest.dims() != l.dims()))
      return false;
    blocks_.push_back(std::move(b));
    o = o_before->before;
    l = l_before->before ? without_ones_around(l_before->before) : value();
    return bool(o) == bool(l);
  }

  struct product_of_block {
    value exponentials, maximum, rest;  ///< `rest` is added to the product
  };
  product_of_block read_product(const value& o, block_of_scores& b) {
    if (const auto g = gemm_of(o); g && g->is_plain_sum()) return read_operands(g->a, g->b, g->c, b);
    for (const summand& s : summands_of(o)) {
      b = {};
      value product = s.added;
      for (; is_view(product); product = input_of(product, 0)) b.views_after.push_back(product);
      if (!producer(product, "MatMul")) continue;
      std::ranges::reverse(b.views_after);
      if (product_of_block p = read_operands(input_of(product, 0), input_of(product, 1), s.rest, b); p.exponentials)
        return p;
    }
    return {};
  }
  product_of_block read_operands(value p, const value& values, const value& rest, block_of_scores& b) {
    for (; is_view(p); p = input_of(p, 0)) b.views_before.push_back(p);
    std::ranges::reverse(b.views_before);
    const auto e = power_of(p);
    if (!e || (!blocks_.empty() && e->binary != binary_) || e->x.dims() != p.dims()) return {};
    binary_ = e->binary;
    b.scores = e->x;
    b.values = values;
    return {p, e->y, rest};
  }

  /// Reads `rest`, to which a step adds its summand: the rescaled sum of the steps before, or an absent value.
  /// `maximum` is the maximum of the step, and `order` is the order of the sum's rows. nullopt for any other form.
  std::optional<scaled_sum> scaled(const value& rest, const value& maximum, axis_parts order) const {
    if (!rest) return scaled_sum{};
    value product = without_ones_around(rest);
    if (is_view(product)) {  // the scaled 0 of the first step, broadcast
      const auto in_order = without_views_around(product);
      if (!in_order || in_order->order != order) return std::nullopt;
      product = in_order->x;
      order = order_of(product, own_layout(product));
    }
    if (!producer(product, "Mul")) return std::nullopt;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      const auto scale = without_views_around(input_of(product, i));
      if (!is_of_rows(input_of(product, i), product) || !scale || scale->order != order) continue;
      const auto factor = power_of(scale->x);
      if (!factor || factor->binary != binary_ || !same_value(factor->y, maximum)) continue;
      const value before = input_of(product, 1 - i), start = without_ones_around(before),
                  m = without_ones_around(factor->x);
      if (!start.is_constant())
        return before.dims() == product.dims() ? std::optional(scaled_sum{before, m}) : std::nullopt;
      if (splat_number(start) == 0) return scaled_sum{{}, m};
    }
    return std::nullopt;
  }

  /// v times `by`. If v is a product with a number already, this number is multiplied by `by` instead.
  static value multiplied(const value& v, double by) {
    if (is_view(v)) return viewed_alike(v, multiplied(input_of(v, 0), by), v.dims());
    if (producer(v, "Mul"))
      for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        if (const auto number = splat_number(input_of(v, i)); number && input_of(v, 1 - i).dims() == v.dims())
          return mul(input_of(v, 1 - i), *number * by);
    return mul(v, by);
  }

  /// Returns whether `maximum` is the maximum of the scores and of the maximum before this block, if there is one. If
  /// the maximum of the first block starts with a number, sets `least_` to this number.
  bool read_maximum(const value& maximum, const value& scores, const scaled_sum& o, const scaled_sum& l) {
    if (o.maximum_before && l.maximum_before && !same_value(o.maximum_before, l.maximum_before)) return false;
    const value before = o.maximum_before ? o.maximum_before : l.maximum_before;
    const auto is_greatest = [&](const value& v) {
      const auto r = producer(v, "ReduceMax") ? reduction_of(v) : std::nullopt;
      return r && same_value(input_of(v, 0), scores) && r->axes == ints{scores.rank() - 1};
    };
    const bool is_first = !o.before;
    if (is_first && before && !before.is_constant()) return false;
    if (is_greatest(maximum)) {  // Max(-inf, x) is x
      return is_first && (!before || splat_number(before) == -std::numeric_limits<double>::infinity());
    }
    if (!producer(maximum, "Max") || producer(maximum)->inputs.size() != 2 || !before) return false;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      if (!input_of(maximum, i).is_constant() && input_of(maximum, i).dims() != input_of(maximum, 1 - i).dims())
        continue;
      const value earlier = without_ones_around(input_of(maximum, i));
      if (!is_greatest(without_ones_around(input_of(maximum, 1 - i)))) continue;
      if (!is_first) return same_value(earlier, before);
      const auto least = splat_number(earlier);
      if (!least || least != splat_number(before)) return false;
      least_ = *least;
      return true;
    }
    return false;
  }

  /// The axes of the scores that are rows, in the order in which the added product has them; nullopt if the product
  /// splits one of these axes, or if its last axis is not the last axis of the values.
  static std::optional<axis_parts> order_of_rows(const block_of_scores& b) {
    const std::int64_t last = b.scores.rank() - 1;
    const axis_parts columns = whole_axis(last, b.values.dims().back());
    std::optional<axis_layout> layout = after(own_layout(b.scores), b.views_before);
    if (!layout || layout->empty()) return std::nullopt;
    layout->back() = columns;
    layout = after(std::move(*layout), b.views_after);
    if (!layout || layout->empty() || layout->back() != columns) return std::nullopt;
    layout->pop_back();
    axis_parts order = order_of(b.scores, *layout);
    return whole_axes(b.scores, order) ? std::optional(std::move(order)) : std::nullopt;
  }
  static std::optional<axis_layout> after(std::optional<axis_layout> layout, const std::vector<value>& views) {
    for (const value& view : views)
      if (layout) layout = layout_after(view, *layout);
    return layout;
  }

  /// Returns whether all blocks have the same views, and the same extents except along the keys. The keys must remain
  /// the last axis of the exponentials.
  bool fit() const {
    // The extents may differ along the axis `but`, which is counted from the back: 1 is the last axis.
    const auto alike = [](const value& a, const value& b, std::int64_t but) {
      return a.rank() == b.rank() && with_extent(a, a.rank() - but, 0) == with_extent(b, b.rank() - but, 0);
    };
    const auto same_views = [](const std::vector<value>& a, const std::vector<value>& b, const auto& same_dims) {
      return std::ranges::equal(a, b, [&](const value& v, const value& w) {
        if (transpose_view.is(v)) return transpose_view.is(w) && transpose_of(v) == transpose_of(w);
        return !transpose_view.is(w) && same_dims(v, w);
      });
    };
    const auto but_columns = [&](const value& a, const value& b) { return alike(a, b, 1); };
    const auto equal_dims = [](const value& a, const value& b) { return a.dims() == b.dims(); };
    const block_of_scores& first = blocks_[0];
    for (const value& view : first.views_before)
      if (view_of(view)->origins(view).back() != input_of(view, 0).rank() - 1) return false;
    return first.values.rank() > 1 && item_loops::all_of(blocks_, [&](const block_of_scores& b) {
             return alike(b.scores, first.scores, 1) && alike(b.values, first.values, 2) &&
                    same_views(b.views_before, first.views_before, but_columns) &&
                    same_views(b.views_after, first.views_after, equal_dims);
           });
  }

  std::vector<block_of_scores> blocks_;
  double least_ = -std::numeric_limits<double>::infinity();
  bool binary_ = false;
};

/// A condition for each row that is true if the row is NaN in the program, although Softmax gives numbers; absent if
/// there are no such rows. If all scores are below the number that the maximum starts with, all exponentials are 0. If
/// all scores of the first block are -infinity, the exponentials of their differences are NaN.
inline value rows_without_result(const online_softmax& s, const value& scores) {
  const auto greatest = [](const value& v) { return reduce("ReduceMax", v, {v.rank() - 1}, true); };
  if (!std::isfinite(s.least()))
    return s.has_masks() ? equal(greatest(s.first_scores()), -std::numeric_limits<double>::infinity()) : value();
  constexpr double above_rounding = 1 + 1e-6;
  return less(greatest(scores), s.is_binary() ? s.least() * ln_2 * above_rounding : s.least());
}

inline outcome softmax_of_blocks(const context& c, const value& root) {
  online_softmax s;
  if ((!producer(input_of(root, 0), "Add") && !producer(input_of(root, 0), "Gemm")) || !s.read(root)) return {};
  if (!is_floating(root.dtype()) || bits(root.dtype()) < 32)
    return decline("the element type is not float32 or float64");
  if (!is_static(root.dims()) && s.reshapes()) return decline(computed_shape);
  if (!c.single_use(input_of(root, 0)) || !c.single_use(input_of(root, 1)))
    return decline("the sums are read elsewhere too");
  constexpr double low = -1e20;  // numbers below it are so far apart that exp of a difference is 0
  if (std::isfinite(s.least()) && s.least() > low)
    return decline("scores may be below the number that the maximum starts with");
  s.turn_ring(c);
  const value scores = s.scores();
  const value weights = c.g.emit("Softmax", {scores}, scores.type(), {{"axis", scores.rank() - 1}});
  const value y = reshape(s.weighted(weights), shape(root.dims()));
  const value fails = c.assume_finite ? value() : rows_without_result(s, scores);
  if (!fails) return y;
  const value nan = scalar(c.g, root.dtype(), std::numeric_limits<double>::quiet_NaN());
  return where(s.in_order(fails, input_of(root, 1).dims()), nan, y);
}

inline constexpr rule online_softmax_rules[] = {
    {"online-softmax",
     "o / l -> MatMul(Softmax(s), v) where s = Concat(s1, s2, ...), v = Concat(v1, v2, ...), "
     "o = o1 Exp(m1 - m2) + MatMul(Exp(s2 - m2), v2), l = l1 Exp(m1 - m2) + ReduceSum(Exp(s2 - m2)), "
     "m2 = Max(m1, ReduceMax(s2)), ...",
     "2 to 64 blocks; the first maximum is -inf, or a number below -1e20; "
     "rows become NaN if all scores are below that number, or if masks make all scores of the first block -inf; "
     "Exp may be Pow(2, x); float32 or float64; constant extents; o and l are read once",
     ops<"Div">, softmax_of_blocks, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
