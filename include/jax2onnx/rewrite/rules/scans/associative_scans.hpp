// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <jax2onnx/facts/bounds.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/scans/diagonal_scans.hpp>

/// Rules for jax.lax.associative_scan, which combines neighbours, scans half as many elements, and interleaves the
/// results with the results of the elements between them. Source: jax.lax.associative_scan.
namespace jax2onnx::rewrite::detail {

/// x with zeros before or after it along one axis.
struct padded_axis {
  value x;
  std::int64_t axis = 0, low = 0, high = 0;
};
inline std::optional<padded_axis> match_padded_axis(const value& v) {
  const auto pad = pad_of(v);
  if (!pad || !pads_with_zeros(*pad)) return {};
  std::optional<padded_axis> found;
  for (std::size_t d = 0; d < pad->front.size(); ++d) {
    const std::int64_t low = pad->front[d], high = pad->behind[d];
    if (low == 0 && high == 0) continue;
    if (found || low < 0 || high < 0) return {};
    found = padded_axis{pad->x, static_cast<std::int64_t>(d), low, high};
  }
  return found;
}

/// Concat(x, y, axis) in the shape `out`. If Reshapes inserted this axis into x and y, and another axis follows, x and
/// y are joined along that axis, without the inserted one.
inline value concat_as(const value& x, const value& y, std::int64_t axis, const shape& out) {
  const bool inserted = is_reshape(x) && is_reshape(y) && x.extent(axis).is(1) && y.extent(axis).is(1);
  if (axis + 1 == x.rank() || !inserted || !is_static(x.dims())) return reshape(concat({x, y}, axis), out);
  shape narrow = x.dims();
  narrow.drop(axis);
  return reshape(concat({reshape(x, narrow), reshape(y, narrow)}, axis), out);
}

/// A sum of two operands that are padded by zeros becomes a Concat if each operand is 0 at the elements of the other
/// one. Unlike the sum, the Concat keeps -0.
inline outcome join_pads(const context& c, const value& root) {
  value a = input_of(root, 0), b = input_of(root, 1);
  if (a.dims() != root.dims() || b.dims() != root.dims()) return {};
  if (is_reshape(a) && is_reshape(b) && c.single_use(a) && c.single_use(b)) {
    a = input_of(a, 0);
    b = input_of(b, 0);
  }
  auto first = match_padded_axis(a), second = match_padded_axis(b);
  if (!first || !second || a.dims() != b.dims() || first->axis != second->axis) return {};
  if (first->low != 0) std::swap(first, second);
  const std::int64_t axis = first->axis;
  if (first->low != 0 || second->high != 0 || !second->x.extent(axis).is(first->high) ||
      !first->x.extent(axis).is(second->low))
    return decline("the operands overlap or leave a gap");
  if (!c.single_use(a) || !c.single_use(b)) return decline("a padded operand is read elsewhere too");
  return concat_as(first->x, second->x, axis, shape(root.dims()));
}

/// y if `v` is Pad(Reshape(Pad(y))): zeros before each element along `axis` and after the last one. A single element
/// needs one Pad. Absent for any other value.
inline value odd_elements(const value& v, std::int64_t axis) {
  const auto outer = match_padded_axis(v);
  if (!outer || outer->axis != axis || outer->high != 1) return {};
  if (outer->low == 1 && outer->x.extent(axis).is(1)) return outer->x;
  const auto inner = outer->low == 0 && is_reshape(outer->x) ? match_padded_axis(input_of(outer->x, 0)) : std::nullopt;
  if (!inner || inner->axis != axis + 1 || inner->low != 1 || inner->high != 0) return {};
  shape dims = inner->x.dims();
  dims.drop(axis + 1);
  return is_static(dims) ? reshape(inner->x, dims) : value();
}

/// Does the work of join_pads() for an odd number of elements: Slice(Reshape(Pad(x))) + Pad(Reshape(Pad(y))), where y
/// has one element less than x.
inline outcome join_uneven_pads(const context& c, const value& root) {
  value evens = input_of(root, 0), odds = input_of(root, 1);
  if (!producer(evens, "Slice")) std::swap(evens, odds);
  const auto taken = single_slice_of(evens);
  if (!taken || taken->first != 0 || taken->step != 1 || !producer(odds, "Pad") || evens.dims() != odds.dims())
    return {};
  if (!is_reshape(input_of(evens, 0))) return {};
  const shape wide = input_of(evens, 0).dims();
  const std::int64_t axis = taken->axis;
  const auto x = match_padded_axis(input_of(input_of(evens, 0), 0));
  if (!x || x->axis != axis + 1 || x->low != 0 || x->high != 1 || !x->x.extent(axis + 1).is(1)) return {};
  if (!is_static(wide) || axis + 2 >= x->x.rank()) return {};
  if (!c.single_use(evens) || !c.single_use(odds)) return decline("a padded operand is read elsewhere too");
  const value y = odd_elements(odds, axis);
  shape dims = x->x.dims();
  dims.drop(axis + 1);
  shape none(dims.size(), dim(0)), one = none;
  one[static_cast<std::size_t>(axis)] = 1;
  const value filled = y ? pad(y, none, one, scalar(c.g, root.dtype(), 0)) : value();
  if (!filled || filled.dims() != dims) return decline("the operands overlap or leave a gap");
  return slice(reshape(concat({reshape(x->x, dims), filled}, axis + 1), wide), axis, 0, root.extent(axis));
}

/// The elements of an array along the axis of a scan of h[i] = h[i - 1] a[i] + b[i]. Each element belongs to an
/// interval of i. A `product` is the product of all a[i] in the interval. A `state` is the h at the end of the interval
/// if h is 0 before it. A `carried` element is such an h times the product of the a[i] that follow.
struct partial_scan {
  enum class kind : std::uint8_t { product, state, carried };
  struct interval {
    std::int32_t begin = 0, end = 0;
    std::int32_t until = 0;  ///< for `carried`, the end of the product, which begins at `end`
    friend bool operator==(const interval&, const interval&) = default;
  };
  kind of = kind::product;
  std::vector<interval> elements;
};

/// Finds the elements of the values between the operands of a scan and its result.
class partial_scans {
 public:
  partial_scans(value a, value b, std::int64_t axis) : a_(std::move(a)), b_(std::move(b)), axis_(axis) {}

  /// The elements that the array `v` has; null if `v` does not belong to a scan.
  const partial_scan* of(const value& v) {
    const auto known = found_.find(v.id());
    if (known != found_.end()) return known->second ? &*known->second : nullptr;
    if (found_.size() > most_values) return nullptr;
    std::optional<partial_scan> scan = v.rank() == b_.rank() ? evaluate(v) : std::nullopt;
    const auto& kept = found_.emplace(v.id(), std::move(scan)).first->second;
    return kept ? &*kept : nullptr;
  }

 private:
  static constexpr std::size_t most_values = 512;
  using kind = partial_scan::kind;

  std::optional<partial_scan> evaluate(const value& v) {
    if (same_value(v, a_) || same_value(v, b_)) {
      partial_scan all{same_value(v, a_) ? kind::product : kind::state, {}};
      const auto count = static_cast<std::int32_t>(v.extent(axis_).extent());
      for (std::int32_t i = 0; i < count; ++i) all.elements.push_back({i, i + 1, 0});
      return all;
    }
    if (producer(v, "Slice")) return sliced(v);
    if (producer(v, "Pad")) return padded(v);
    if (producer(v, "Concat")) return concatenated(v);
    if (producer(v, "Mul")) return multiplied(v);
    if (producer(v, "Add")) return added(v);
    return is_reshape(v) ? interleaved(v) : std::nullopt;
  }

  std::optional<partial_scan> sliced(const value& v) {
    const auto taken = single_slice_of(v);
    if (!taken || taken->axis != axis_ || taken->step < 0 || !taken->count.is_constant()) return {};
    const partial_scan* x = of(input_of(v, 0));
    if (!x) return {};
    partial_scan out{x->of, {}};
    for (std::int64_t i = 0; i < taken->count.extent(); ++i)
      out.elements.push_back(x->elements[static_cast<std::size_t>(taken->first + i * taken->step)]);
    return out;
  }

  /// Adds zeros after the elements, with intervals that no other interval continues. nullopt for any other Pad.
  std::optional<partial_scan> padded(const value& v) {
    const auto pad = match_padded_axis(v);
    const partial_scan* x = pad && pad->axis == axis_ && pad->low == 0 ? of(pad->x) : nullptr;
    if (!x) return {};
    partial_scan out = *x;
    out.elements.resize(out.elements.size() + static_cast<std::size_t>(pad->high), {-1, -2, -3});
    return out;
  }

  std::optional<partial_scan> concatenated(const value& v) {
    if (axis_of(v) != axis_) return {};
    partial_scan out;
    for (const value& part : inputs_of(v)) {
      const partial_scan* x = of(part);
      if (!x || (!out.elements.empty() && x->of != out.of)) return {};
      out.of = x->of;
      out.elements.insert(out.elements.end(), x->elements.begin(), x->elements.end());
    }
    return out;
  }

  std::optional<partial_scan> multiplied(const value& v) {
    const partial_scan *p = of(input_of(v, 0)), *q = of(input_of(v, 1));
    if (!p || !q || p->elements.size() != q->elements.size()) return {};
    if (p->of == kind::product && !p->elements.empty() && q->elements[0].end == p->elements[0].begin) std::swap(p, q);
    if (q->of != kind::product || p->of == kind::carried) return {};
    partial_scan out{p->of == kind::state ? kind::carried : kind::product, {}};
    for (std::size_t i = 0; i < p->elements.size(); ++i) {
      const auto &left = p->elements[i], &right = q->elements[i];
      if (left.end != right.begin) return {};
      if (out.of == kind::carried) out.elements.push_back({left.begin, left.end, right.end});
      else out.elements.push_back({left.begin, right.end, 0});
    }
    return out;
  }

  std::optional<partial_scan> added(const value& v) {
    const partial_scan *p = of(input_of(v, 0)), *q = of(input_of(v, 1));
    if (!p || !q || p->elements.size() != q->elements.size()) return {};
    if (p->of != kind::carried) std::swap(p, q);
    if (p->of != kind::carried || q->of != kind::state) return {};
    partial_scan out{kind::state, {}};
    for (std::size_t i = 0; i < p->elements.size(); ++i) {
      const auto &left = p->elements[i], &right = q->elements[i];
      if (left.end != right.begin || left.until != right.end) return {};
      out.elements.push_back({left.begin, right.end, 0});
    }
    return out;
  }

  /// Evaluates Reshape(Concat(x, y)), if the Concat is along the next axis or along a new axis there. The elements are
  /// x[0], y[0], x[1], y[1], …
  std::optional<partial_scan> interleaved(const value& v) {
    const value joined = input_of(v, 0);
    if (!producer(joined, "Concat") || producer(joined)->inputs.size() != 2) return {};
    value first = input_of(joined, 0), second = input_of(joined, 1);
    if (axis_of(joined) != axis_ + 1) return {};
    if (joined.rank() == v.rank() + 1 && is_reshape(first) && is_reshape(second)) {
      first = input_of(first, 0);
      second = input_of(second, 0);
    }
    shape expected = first.dims();
    if (first.rank() != v.rank() || second.dims() != expected || !is_static(expected)) return {};
    dim& count = expected[static_cast<std::size_t>(axis_)];
    count = 2 * count.extent();
    const partial_scan *x = expected == v.dims() ? of(first) : nullptr, *y = x ? of(second) : nullptr;
    if (!y || x->of != y->of) return {};
    partial_scan out{x->of, {}};
    for (std::size_t i = 0; i < x->elements.size(); ++i) {
      out.elements.push_back(x->elements[i]);
      out.elements.push_back(y->elements[i]);
    }
    return out;
  }

  value a_, b_;
  std::int64_t axis_;
  std::unordered_map<value_id, std::optional<partial_scan>> found_;
};

/// The operands of the scan that seems to compute the root. They are found from the Concat of the root's elements at
/// even positions.
struct scan_operands {
  value a, b;
  std::int64_t axis = 0;
};
inline std::optional<scan_operands> match_scan_operands(const value& root) {
  value joined;
  const value whole = producer(root, "Slice") ? input_of(root, 0) : root;
  if (!match(whole, m_reshape(m_value(joined))) || !producer(joined, "Concat")) return {};
  value evens = input_of(joined, 0);
  if (is_reshape(evens) && joined.rank() == root.rank() + 1) evens = input_of(evens, 0);
  if (!producer(evens, "Concat") || producer(evens)->inputs.size() != 2) return {};
  const value first = input_of(evens, 0), rest = input_of(evens, 1);
  const std::int64_t axis = axis_of(evens);
  if (axis_of(joined) != axis + 1 || !producer(first, "Slice")) return {};
  const auto sliced = [](value& of) { return [&of](const value& v) { return producer(v, "Slice") && bool(of = v); }; };
  value h, factor, added;
  const auto carried = [&](const value& v) { return match(v, m_commutes("Mul", m_value(h), sliced(factor))); };
  if (!match(rest, m_commutes("Add", carried, sliced(added))) || !same_value(input_of(added, 0), input_of(first, 0)))
    return {};
  const value b = input_of(first, 0);
  // `factor` may have matched h, which is a Slice of half as many states, unless that Slice was folded.
  if (input_of(factor, 0).rank() != b.rank() || input_of(factor, 0).extent(axis) != b.extent(axis))
    std::swap(h, factor);
  return producer(factor, "Slice") ? std::optional(scan_operands{input_of(factor, 0), b, axis}) : std::nullopt;
}

/// Returns whether `b` has the states of pairs of elements. The inner levels of an associative scan have such operands.
inline bool is_of_pairs(const value& b) {
  const auto strided = [](const value& v) {
    const auto taken = single_slice_of(v);
    return taken && taken->step == 2;
  };
  return match(b, m_commutes("Add", m_op("Mul", m_any{}, m_any{}), strided));
}

/// Computes the linear recurrence by a Scan, step by step. This takes half as many multiplications as the associative
/// scan, and fewer copies.
inline value scan_linearly(const context& c, const scan_operands& o) {
  const shape dims = o.b.dims(), step = dims.tail(o.axis + 1);
  const auto from_axis = [&](const value& v) { return reshape(v, v.dims().tail(o.axis)); };
  const value a = from_axis(o.a), b = from_axis(o.b);
  const dim count = b.extent(0);
  const auto body = [](const std::vector<value>& carried, const std::vector<value>& elements) {
    const value h = add(mul(carried[0], elements[0]), elements[1]);
    return loop_step{{}, {h}, {h}};
  };
  const value start = slice(b, 0, 0, 1), initial = reshape(start, step);
  const std::vector<value> elements{slice(a, 0, 1, count), slice(b, 0, 1, count)};
  const value later = scan(c.g, {initial}, elements, body, {.carried_names = {"h"}}).collected[0];
  return reshape(concat({start, later}, 0), dims);
}

/// Returns whether diagonal-scan computes a Scan with these factors by chunks, and step by step only if an operand is
/// not finite when the model runs.
inline bool suits_diagonal_scan(const value& factors, std::int64_t steps, std::int64_t elements) {
  return steps > diagonal_limits.least_steps && steps <= diagonal_limits.most_steps &&
         elements <= diagonal_limits.most_elements && steps * elements <= most_diagonal_numbers &&
         bits(factors.dtype()) >= 32 && facts::magnitude_of(factors) <= 1;
}

inline outcome linear_recurrence(const context& c, const value& root) {
  constexpr std::int64_t least_elements = 2048, few_steps = 16, most_steps = 1 << 16;
  const auto o = match_scan_operands(root);
  if (!o || o->b.dims() != root.dims() || o->a.rank() != root.rank() || !is_floating(root.dtype())) return {};
  if (!is_static(root.dims()) || !is_static(o->a.dims())) return {};
  if (is_of_pairs(o->b)) return decline("the recurrence is part of a longer recurrence");
  const std::int64_t steps = root.extent(o->axis).extent();
  std::int64_t elements = 1, before = 1;
  for (std::int64_t d = 0; d < root.rank(); ++d) {
    if (d != o->axis) elements *= root.extent(d).extent();
    if (d < o->axis) before *= root.extent(d).extent();
  }
  if (!o->a.extent(o->axis).is(steps) || steps > most_steps) return {};
  if (before != 1) return decline("the elements of a step are not adjacent");
  if (elements < least_elements && steps > few_steps && !suits_diagonal_scan(o->a, steps, elements))
    return decline("the steps have too few elements");
  partial_scans scans(o->a, o->b, o->axis);
  const partial_scan* result = scans.of(root);
  if (!result || result->of != partial_scan::kind::state) return {};
  for (std::size_t i = 0; i < result->elements.size(); ++i)
    if (result->elements[i] != partial_scan::interval{0, static_cast<std::int32_t>(i) + 1, 0}) return {};
  return scan_linearly(c, *o);
}

inline constexpr rule associative_scan_rules[] = {
    {"join-pads", "Pad(x, [0, m]) + Pad(y, [n, 0]) -> Concat(x, y), also with a Reshape of both",
     "padding by zeros along one axis, where x has n elements and y has m; the Pads are read once", ops<"Add">,
     join_pads},
    {"join-uneven-pads", "Slice(Reshape(Pad(x))) + Pad(Reshape(Pad(y))) -> Slice(Reshape(Concat(x, Pad(y))))",
     "the Pads insert zeros between elements; y has one element less than x; the operands are read once", ops<"Add">,
     join_uneven_pads},
    {"linear-recurrence", "h, computed from products of a and partial h -> Scan(h = h a + b)",
     "a floating-point h; constant extents; at most 16 steps, or at least 2048 elements per step, or at least 65 "
     "steps that diagonal-scan can divide, with an a whose magnitude is known to be at most 1; only extents of 1 "
     "before the axis of the steps",
     ops<"Reshape", "Slice">, linear_recurrence, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
