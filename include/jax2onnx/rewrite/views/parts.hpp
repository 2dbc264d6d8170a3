// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include <jax2onnx/operators/views/slice.hpp>
#include <jax2onnx/operators/views/split.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/views/operand_axes.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Arrays that are computed in parts, such as blocks of Pallas' kernels and chunks of unrolled loops: all parts are
/// computed at once.
namespace jax2onnx::rewrite {

/// Elements first, first + 1, ... of `x` along an axis.
struct part_along {
  value x;
  std::int64_t axis = 0, first = 0;
};
/// The part of another value that `v` takes along one axis; nullopt if `v` takes none. `v` lacks the axis if it is a
/// Gather of a scalar index.
inline std::optional<part_along> part_along_of(const value& v) {
  if (producer(v, "Gather")) {
    const auto number = single_number(input_of(v, 1));
    if (!number || input_of(v, 1).rank() > 1) return std::nullopt;
    const value x = input_of(v, 0);
    const dim extent = x.extent(axis_of(v));
    const auto index = static_cast<std::int64_t>(*number);
    if (index >= 0) return part_along{x, axis_of(v), index};
    return extent.is_constant() ? std::optional(part_along{x, axis_of(v), index + extent.extent()}) : std::nullopt;
  }
  if (const auto part = split_of(v)) return part_along{part->x, part->axis, part->first};
  const auto slice = single_slice_of(v);
  if (!slice || slice->step != 1) return std::nullopt;
  return part_along{input_of(v, 0), slice->axis, slice->first};
}

/// The source of elements of a value along an axis: the value that the elements come from, and the views on the way.
class element_source {
 public:
  /// Follows element `index` of `v` along the axis through Concats, Slices, Splits and Gathers of this axis, and views.
  element_source(value v, std::int64_t axis, std::int64_t index) : x_(std::move(v)), axis_(axis), index_(index) {
    while (pass_parts() || pass_view()) {}
    layout_ = layout_through(views_, x_);
  }

  bool is_of_same(const element_source& other) const {
    return same_value(x_, other.x_) && axis_ == other.axis_ && layout_ && layout_ == other.layout_;
  }
  std::int64_t index() const { return index_; }
  bool is_all(std::int64_t count) const { return x_.extent(axis_).is(count); }
  /// Elements [first, last) of the source, seen through the views. Adjacent Transposes become one.
  value seen(std::int64_t first, std::int64_t last) const {
    value y = x_.extent(axis_).is(last - first) ? x_ : slice(x_, axis_, first, last);
    ints order = iota_axes(y.rank());
    for (std::size_t i = views_.size(); i > 0; --i) {
      const value& view = views_[i - 1];
      if (const auto perm = transpose_of(view)) {
        ints next;
        for (const std::int64_t axis : *perm) next.push_back(order[static_cast<std::size_t>(axis)]);
        order = std::move(next);
        continue;
      }
      y = reshape(transpose(y, order), with_extent(view, axes_[i - 1], dim(last - first)));
      order = iota_axes(y.rank());
    }
    return transpose(y, order);
  }

 private:
  bool pass_parts() {
    if (producer(x_, "Concat") && axis_of(x_) == axis_) return pass_concat();
    const bool gathers = producer(x_, "Gather") && axis_of(x_) == axis_ && input_of(x_, 1).rank() == 1;
    if (const auto indices = gathers ? constant_integers(input_of(x_, 1)) : std::nullopt) {
      const dim extent = input_of(x_, 0).extent(axis_);
      if (!extent.is_constant()) return false;
      index_ = from_front((*indices)[static_cast<std::size_t>(index_)], extent.extent());
      x_ = input_of(x_, 0);
      return true;
    }
    const auto part = part_along_of(x_);
    if (!part || part->axis != axis_ || part->x.rank() != x_.rank()) return false;
    index_ += part->first;
    x_ = part->x;
    return true;
  }
  bool pass_concat() {
    for (const value& operand : inputs_of(x_)) {
      const dim extent = operand.extent(axis_);
      if (!extent.is_constant()) return false;
      if (index_ >= extent.extent()) {
        index_ -= extent.extent();
        continue;
      }
      x_ = operand;
      return true;
    }
    return false;
  }
  bool pass_view() {
    if (!is_view(x_)) return false;
    const std::int64_t origin = view_of(x_)->origins(x_)[static_cast<std::size_t>(axis_)];
    if (origin == no_axis) return false;
    views_.push_back(x_);
    axes_.push_back(axis_);
    x_ = input_of(x_, 0);
    axis_ = origin;
    return true;
  }

  value x_;
  std::int64_t axis_, index_;
  std::vector<value> views_ = {};  ///< the outermost first
  ints axes_ = {};                 ///< the axis in each view
  std::optional<axis_layout> layout_ = {};
};

/// Computes the Concat of values that the same operators compute from adjacent parts of arrays. Applies these operators
/// to the whole arrays instead.
class joined_parts {
 public:
  explicit joined_parts(const context& c) : context_(c) {}
  /// Only element `elements[i]` along the axis is taken from part i. If all of these come from the same element of an
  /// array, the result comes from that element only, and has extent 1. All extents along the axis must be constant.
  joined_parts(const context& c, ints elements) : context_(c), elements_(std::move(elements)) {}

  bool fit(const std::vector<value>& parts, std::int64_t axis) {
    emits_ = false;
    return bool(along(parts, axis));
  }
  /// The Concat of parts for which fit() is true, computed by operators on the whole arrays.
  value join(const std::vector<value>& parts, std::int64_t axis) {
    emits_ = true;
    return along(parts, axis);
  }

 private:
  static constexpr int most_depth = 16;

  /// Joins the parts along an axis; absent if they do not fit. If `emits_` is false, the result is a placeholder.
  value along(const std::vector<value>& parts, std::int64_t axis) {
    if (const value v = of_slices(parts, axis)) return v;
    if (item_loops::all_of(parts, [](const value& p) { return p.is_constant(); })) return of_constants(parts, axis);
    return depth_ < most_depth && (emits_ || are_alike(parts)) ? of_alike(parts, axis) : value();
  }

  /// The part of an array that `v` takes along the axis. `v` may be a Reshape that inserts the axis again. Nullopt for
  /// any other value.
  static std::optional<part_along> part(const value& v, std::int64_t axis) {
    const auto p = part_along_of(is_reshape(v) ? input_of(v, 0) : v);
    if (!p || p->axis != axis || p->x.rank() != v.rank() || !v.extent(axis).is_constant()) return std::nullopt;
    shape dims = p->x.dims();
    dims[static_cast<std::size_t>(axis)] = v.extent(axis);
    return v.dims() == dims ? p : std::nullopt;
  }

  value of_slices(const std::vector<value>& parts, std::int64_t axis) const {
    if (takes_elements()) return of_sources(parts, axis);
    if (const value v = of_rows(parts, axis)) return v;
    const auto first = part(parts[0], axis);
    if (!first) return {};
    const value x = first->x;
    std::int64_t next = first->first + parts[0].extent(axis).extent();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto p = part(parts[i], axis);
      if (!p || p->first != next || !same_value(p->x, x)) return {};
      next += parts[i].extent(axis).extent();
    }
    const bool is_whole = first->first == 0 && x.extent(axis).is(next);
    return is_whole || !emits_ ? x : slice(x, axis, first->first, next);
  }

  /// Joins parts that are all elements of a value x along another axis: moves that axis of x before `axis`, and joins
  /// both axes. Absent for any other parts.
  value of_rows(const std::vector<value>& parts, std::int64_t axis) const {
    const auto first = part_along_of(parts[0]);
    if (!first || first->axis == axis || first->x.rank() != parts[0].rank()) return {};
    const value x = first->x;
    if (!x.extent(first->axis).is(std::ssize(parts))) return {};
    std::int64_t next = 0;
    for (const value& v : parts) {
      const auto p = part_along_of(v);
      if (!p || p->axis != first->axis || p->first != next++ || !same_value(p->x, x)) return {};
      if (!v.extent(p->axis).is(1) || !context_.single_use(v)) return {};
    }
    if (!emits_) return x;
    axis_layout to = own_layout(x);
    axis_parts& rows = to[static_cast<std::size_t>(first->axis)];
    axis_parts& joined = to[static_cast<std::size_t>(axis)];
    joined.insert(joined.begin(), rows.begin(), rows.end());
    rows.clear();
    shape dims = with_extent(parts[0], axis, x.owner().dims().mul(x.extent(first->axis), x.extent(axis)));
    return rearranged(x, all_parts(own_layout(x)), all_parts(to), dims);
  }

  bool takes_elements() const { return !elements_.empty(); }
  /// The source of the elements of all parts: all elements of one array, or a single element of it; absent for any
  /// other parts.
  value of_sources(const std::vector<value>& parts, std::int64_t axis) const {
    const auto count = std::ssize(parts);
    const element_source first(parts[0], axis, elements_[0]);
    bool is_whole = first.is_all(count), is_one = true;
    for (std::int64_t i = 0; i < count; ++i) {
      const element_source s(parts[static_cast<std::size_t>(i)], axis, elements_[static_cast<std::size_t>(i)]);
      if (!s.is_of_same(first)) return {};
      is_whole = is_whole && s.index() == i;
      is_one = is_one && s.index() == first.index();
    }
    if (is_whole) return !emits_ || are_same(parts) ? parts[0] : first.seen(0, count);
    if (!is_one) return {};
    return emits_ ? first.seen(first.index(), first.index() + 1) : parts[0];
  }

  value of_constants(const std::vector<value>& parts, std::int64_t axis) const {
    std::uint64_t size = 0;
    for (const value& v : parts) {
      if (v.dtype() != parts[0].dtype() || v.rank() != parts[0].rank()) return {};
      if (with_extent(v, axis, 0) != with_extent(parts[0], axis, 0)) return {};
      if (takes_elements() && v.data().view().empty()) return {};
      size += v.data().size();
    }
    if (size > folding_limit) return {};  // a weight would be stored twice
    if (!emits_) return parts[0];
    if (takes_elements() && have_equal_elements(parts, axis))
      return slice(parts[0], axis, elements_[0], elements_[0] + 1);
    std::vector<value> all = parts;
    for (std::size_t i = 0; i < elements_.size(); ++i) all[i] = slice(parts[i], axis, elements_[i], elements_[i] + 1);
    return concat(all, axis);
  }

  /// True if the chosen elements of all parts, which are constants, are equal.
  bool have_equal_elements(const std::vector<value>& parts, std::int64_t axis) const {
    const auto bits_of_type = static_cast<std::size_t>(bits(parts[0].dtype()));
    if (bits_of_type < 8) return false;
    std::size_t size = bits_of_type / 8;
    for (std::int64_t a = axis + 1; a < parts[0].rank(); ++a)
      size *= static_cast<std::size_t>(parts[0].extent(a).extent());
    const auto row = [&](std::size_t part, std::size_t outer) {
      const auto extent = static_cast<std::size_t>(parts[part].extent(axis).extent());
      return parts[part].data().view().data() + (outer * extent + static_cast<std::size_t>(elements_[part])) * size;
    };
    std::size_t count = 1;
    for (std::int64_t a = 0; a < axis; ++a) count *= static_cast<std::size_t>(parts[0].extent(a).extent());
    for (std::size_t outer = 0; outer < count; ++outer)
      for (std::size_t part = 1; part < parts.size(); ++part)
        if (std::memcmp(row(part, outer), row(0, outer), size) != 0) return false;
    return true;
  }

  /// True if the same operator makes all parts, and nothing else reads them unless only elements are taken.
  bool are_alike(const std::vector<value>& parts) const {
    const node* first = producer(parts[0]);
    const auto is_alike = [&](const value& v) {
      const node* n = producer(v);
      return n && n->op == first->op && n->inputs.size() == first->inputs.size() && n->outputs.size() == 1 &&
             v.rank() == parts[0].rank() && same_attributes(*n, *first) && (takes_elements() || context_.single_use(v));
    };
    return first && first->domain.empty() && item_loops::all_of(parts, is_alike);
  }

  value of_alike(const std::vector<value>& parts, std::int64_t axis) {
    ++depth_;
    value v;
    if (is_view(parts[0])) v = of_views(parts, axis);
    else if (producer(parts[0], "MatMul")) v = of_products(parts, axis);
    else if (has_trait(parts[0], trait::broadcasting)) v = of_elements(parts, axis);
    else v = of_named_axes(parts, axis);
    --depth_;
    return v;
  }

  static std::vector<value> inputs(const std::vector<value>& parts, std::size_t i) {
    std::vector<value> all;
    for (const value& v : parts) all.push_back(input_of(v, i));
    return all;
  }
  static bool are_same(const std::vector<value>& values) {
    return item_loops::all_of(values, [&](const value& v) { return same_value(v, values[0]); });
  }

  value of_views(const std::vector<value>& parts, std::int64_t axis) {
    const value& v = parts[0];
    const view_row& view = *view_of(v);
    const auto origin = [&](const value& w) { return view.origins(w)[static_cast<std::size_t>(axis)]; };
    const std::int64_t from = origin(v);
    if (from == no_axis) return {};
    const auto is_alike = [&](const value& w) {
      return view.is(w) && origin(w) == from && with_extent(w, axis, 0) == with_extent(v, axis, 0) &&
             with_extent(input_of(w, 0), from, 0) == with_extent(input_of(v, 0), from, 0);
    };
    if (!item_loops::all_of(parts, is_alike)) return {};
    const value x = along(inputs(parts, 0), from);
    if (!x || !emits_) return x;
    return viewed_alike(v, x, with_extent(v, axis, x.extent(from)));
  }

  /// Operand `i` of all parts, joined along the axis. If all parts have the same operand, and it is broadcast along
  /// that axis, the result is this operand. Absent if the operands do not fit.
  value operand(const std::vector<value>& parts, std::size_t i, std::int64_t axis) {
    const std::vector<value> all = inputs(parts, i);
    const std::int64_t own = axis - (parts[0].rank() - all[0].rank());
    if ((own < 0 || all[0].extent(own).is(1)) && are_same(all)) return all[0];
    if (own < 0) return {};
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (all[k].rank() != all[0].rank() || all[k].extent(own) != parts[k].extent(axis)) return {};
    return along(all, own);
  }

  value of_elements(const std::vector<value>& parts, std::int64_t axis) {
    const value& v = parts[0];
    std::vector<value> operands;
    bool varies = false;
    infer::result dims{shape{}};
    for (std::size_t i = 0; i < producer(v)->inputs.size(); ++i) {
      operands.push_back(operand(parts, i, axis));
      if (!operands.back()) return {};
      varies = varies || !are_same(inputs(parts, i));
      if (emits_) dims = infer::broadcast(dims.dims, operands.back().dims());
    }
    if (!varies && !takes_elements()) return {};
    return emits_ ? with_inputs(v, operands, {v.dtype(), dims.dims}) : v;
  }

  value of_products(const std::vector<value>& parts, std::int64_t axis) {
    const std::vector<value> a = inputs(parts, 0), b = inputs(parts, 1);
    const std::int64_t rank = parts[0].rank();
    if (rank < 2 || a[0].rank() < 2 || b[0].rank() < 2) return {};
    value left = a[0], right = b[0];
    if (axis >= rank - 2 && takes_elements()) return {};
    if (axis == rank - 1 && are_same(a)) right = along(b, b[0].rank() - 1);
    else if (axis == rank - 2 && are_same(b)) left = along(a, a[0].rank() - 2);
    else if (axis < rank - 2 && (takes_elements() || !(are_same(a) && are_same(b))))
      left = operand(parts, 0, axis), right = operand(parts, 1, axis);
    else return {};
    if (!left || !right) return {};
    return emits_ ? matmul(left, right) : left;
  }

  /// Joins parts that are made by operators that leave the axis of operand 0 alone.
  value of_named_axes(const std::vector<value>& parts, std::int64_t axis) {
    const value& v = parts[0];
    const std::optional<named_axes> named = named_axes_of(v);
    if (!named) return {};
    for (std::size_t i = 1; i < producer(v)->inputs.size(); ++i)
      if (!are_same(inputs(parts, i))) return {};
    ints kept;
    for (std::int64_t a = 0; a < input_of(v, 0).rank(); ++a)
      if (!named->removed || !has_axis(named->axes, a)) kept.push_back(a);
    if (std::ssize(kept) != v.rank()) return {};
    const std::int64_t from = kept[static_cast<std::size_t>(axis)];
    if (has_axis(named->axes, from)) return {};
    const value x = along(inputs(parts, 0), from);
    if (!x || !emits_) return x;
    return named->row->on(v, x, named->axes, {v.dtype(), with_extent(v, axis, x.extent(from))});
  }

  const context& context_;
  ints elements_ = {};
  int depth_ = 0;
  bool emits_ = false;
};

}  // namespace jax2onnx::rewrite
