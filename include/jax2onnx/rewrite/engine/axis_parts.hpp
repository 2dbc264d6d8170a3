// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>

/// Follows the axes of a value through Reshapes, Transposes and Expands.
namespace jax2onnx::rewrite {

/// A part of an axis: index i along the axis is index (i / step) % extent along the part.
struct axis_part {
  std::int64_t axis = 0;
  dim extent = dim(1), step = dim(1);
  friend bool operator==(const axis_part&, const axis_part&) = default;
};

/// Parts in the order of the elements, the outermost first. Axes of extent 1 have none.
using axis_parts = std::vector<axis_part>;

/// For each axis of a value, the parts that it consists of.
using axis_layout = std::vector<axis_parts>;

/// The axis as one part; empty for an extent of 1.
inline axis_parts whole_axis(std::int64_t axis, dim extent) {
  return extent.is(1) ? axis_parts() : axis_parts{{axis, extent}};
}

inline void append(axis_parts& to, const axis_parts& more) { to.insert(to.end(), more.begin(), more.end()); }

inline axis_parts all_parts(const axis_layout& l) {
  axis_parts all;
  for (const axis_parts& axis : l) append(all, axis);
  return all;
}

/// The extents of parts.
inline shape extents_of(const axis_parts& parts) {
  shape dims;
  for (const axis_part& p : parts) dims.push_back(p.extent);
  return dims;
}

/// Joins neighbouring parts that are also adjacent in their axis. The results for two lists are equal if both lists put
/// the elements in the same order.
inline axis_parts joined(dim_table& dims, const axis_parts& parts) {
  axis_parts out;
  for (const axis_part& p : parts) {
    const bool inner = !out.empty() && out.back().axis == p.axis && out.back().step == dims.mul(p.extent, p.step);
    if (inner) out.back() = {p.axis, dims.mul(out.back().extent, p.extent), p.step};
    else out.push_back(p);
  }
  return out;
}

inline bool in_same_order(dim_table& dims, const axis_parts& a, const axis_parts& b) {
  return joined(dims, a) == joined(dims, b);
}

/// The axes of x that the parts form, in the order of the parts. Nullopt if the parts do not form whole axes.
inline std::optional<ints> whole_axes(const value& x, const axis_parts& parts) {
  ints axes;
  for (const axis_part& p : joined(x.owner().dims(), parts)) {
    if (p.extent != x.extent(p.axis)) return std::nullopt;
    axes.push_back(p.axis);
  }
  return axes;
}

/// Distributes parts over the axes of a Reshape's result.
class part_reader {
 public:
  part_reader(dim_table& dims, axis_parts parts, const shape& target)
      : dims_(dims), parts_(std::move(parts)), target_(target), out_(target.size()) {}

  /// Returns the parts of each axis of the Reshape's result. Absent if an axis ends within a part that it does not
  /// divide evenly, or if that is unknown.
  std::optional<axis_layout> run() {
    for (; to_ < target_.size(); ++to_)
      if (!target_[to_].is(1) && !take_whole() && !take_outer() && !take_several()) return std::nullopt;
    return from_ == parts_.size() ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  bool take_whole() {
    if (from_ == parts_.size() || parts_[from_].extent != target_[to_]) return false;
    out_[to_].push_back(parts_[from_++]);
    return true;
  }
  /// Splits the next part in two. The axis takes the outer part.
  bool take_outer() {
    if (from_ == parts_.size()) return false;
    axis_part& p = parts_[from_];
    const dim rest = extent_behind(p.extent);
    if (rest.is(0)) return false;
    out_[to_].push_back({p.axis, target_[to_], dims_.mul(rest, p.step)});
    p.extent = rest;
    return true;
  }
  /// The extent that remains for later axes if this axis takes its extent from the next part: the quotient of both
  /// extents. For symbolic extents, the quotient is found as a product of extents of later axes. 0 if it is not known,
  /// or if the extents do not divide evenly.
  dim extent_behind(dim extent) {
    const dim here = target_[to_];
    if (here.is(0)) return dim(0);
    if (extent.is_constant() && here.is_constant())
      return extent.extent() % here.extent() == 0 ? dim(extent.extent() / here.extent()) : dim(0);
    dim rest(1);
    for (std::size_t i = to_ + 1; i < target_.size(); ++i) {
      rest = dims_.mul(rest, target_[i]);
      if (dims_.mul(here, rest) == extent) return rest;
    }
    return dim(0);
  }
  bool take_several() {
    dim taken(1);
    while (from_ < parts_.size()) {
      taken = dims_.mul(taken, parts_[from_].extent);
      out_[to_].push_back(parts_[from_++]);
      if (taken == target_[to_]) return true;
    }
    return false;
  }

  dim_table& dims_;
  axis_parts parts_;
  const shape& target_;
  axis_layout out_;
  std::size_t from_ = 0, to_ = 0;
};

/// The layout of a Reshape's result; absent if it is unknown. No extent may be 0.
inline std::optional<axis_layout> reshaped(dim_table& dims, const axis_layout& l, const shape& target) {
  return part_reader(dims, all_parts(l), target).run();
}

/// The origin of a view's axis that is not a whole axis of the operand. It is also the origin of axes of extent 1 in
/// Reshapes and Expands.
inline constexpr std::int64_t no_axis = -1;

/// The layout of a value in terms of its own axes.
inline axis_layout own_layout(const value& x) {
  axis_layout l;
  l.reserve(x.dims().size());
  for (std::int64_t i = 0; i < x.rank(); ++i) l.push_back(whole_axis(i, x.extent(i)));
  return l;
}

/// A view-like operator: its results are the elements of operand 0 in another shape or order, or repeated. Rules see
/// only the row of such an operator.
struct view_row {
  bool (*is)(const value& v);
  bool repeats;
  std::string_view stays;  ///< why a rule declines a view that has other readers
  /// `after` returns the layout of v if its operand has the layout l. `before` returns the layout of the operand if v
  /// has the layout l. Both are absent if the layout is unknown. The operand of a view that repeats lacks the repeated
  /// parts.
  /// @{
  std::optional<axis_layout> (*after)(const value& v, const axis_layout& l);
  std::optional<axis_layout> (*before)(const value& v, const axis_layout& l);
  /// @}
  /// For every axis of v, the axis of its operand from which it comes, or no_axis.
  ints (*origins)(const value& v);
  /// Applies the same view to y: a Transpose permutes the axes by `order`, and any other view gives y the extents
  /// `dims`.
  value (*again)(const value& v, const value& y, const ints& order, const shape& dims);
};

namespace view_rows_detail {

inline std::optional<axis_layout> after_reshape(const value& v, const axis_layout& l) {
  return reshaped(v.owner().dims(), l, v.dims());
}
inline std::optional<axis_layout> before_reshape(const value& v, const axis_layout& l) {
  return reshaped(v.owner().dims(), l, input_of(v, 0).dims());
}
inline ints origins_in_reshape(const value& v) {
  const value x = input_of(v, 0);
  ints origins(v.dims().size(), no_axis);
  const std::optional<axis_layout> l = after_reshape(v, own_layout(x));
  for (std::size_t i = 0; l && i < origins.size(); ++i)
    if (const axis_parts& p = (*l)[i]; p.size() == 1 && p[0].extent == x.extent(p[0].axis)) origins[i] = p[0].axis;
  return origins;
}
inline value reshaped_again(const value&, const value& y, const ints&, const shape& dims) { return reshape(y, dims); }

inline bool is_transpose(const value& v) { return producer(v, "Transpose") != nullptr; }
inline ints origins_in_transpose(const value& v) { return *transpose_of(v); }
inline std::optional<axis_layout> after_transpose(const value& v, const axis_layout& l) {
  axis_layout out;
  for (const std::int64_t axis : origins_in_transpose(v)) out.push_back(l[static_cast<std::size_t>(axis)]);
  return out;
}
inline std::optional<axis_layout> before_transpose(const value& v, const axis_layout& l) {
  axis_layout out(l.size());
  const ints perm = origins_in_transpose(v);
  for (std::size_t i = 0; i < perm.size(); ++i) out[static_cast<std::size_t>(perm[i])] = l[i];
  return out;
}
inline value transposed_again(const value&, const value& y, const ints& order, const shape&) {
  return transpose(y, order);
}

inline bool is_expand(const value& v) { return producer(v, "Expand") != nullptr; }
inline ints origins_in_expand(const value& v) {
  const value x = input_of(v, 0);
  ints origins(v.dims().size(), no_axis);
  for (std::int64_t i = 0, added = v.rank() - x.rank(); i < x.rank(); ++i)
    if (!x.extent(i).is(1)) origins[static_cast<std::size_t>(i + added)] = i;
  return origins;
}
inline std::optional<axis_layout> after_expand(const value& v, const axis_layout& l) {
  const ints origins = origins_in_expand(v);
  axis_layout out;
  for (std::size_t i = 0; i < origins.size(); ++i)
    out.push_back(origins[i] == no_axis ? whole_axis(no_axis, v.dims()[i]) : l[static_cast<std::size_t>(origins[i])]);
  return out;
}
inline std::optional<axis_layout> before_expand(const value& v, const axis_layout& l) {
  const ints origins = origins_in_expand(v);
  if (l.size() != origins.size()) return std::nullopt;
  axis_layout out(input_of(v, 0).dims().size());
  for (std::size_t i = 0; i < origins.size(); ++i)
    if (origins[i] != no_axis) out[static_cast<std::size_t>(origins[i])] = l[i];
  return out;
}
/// Expands y to `dims`. Reuses the shape operand of v if y has the extents of the operand of v, and `dims` are the
/// extents of v.
inline value expanded_again(const value& v, const value& y, const ints&, const shape& dims) {
  const bool is_same = y.dims() == input_of(v, 0).dims() && dims == v.dims();
  return is_same ? v.owner().emit("Expand", {y, input_of(v, 1)}, {y.dtype(), dims}) : broadcast_to(y, dims);
}

}  // namespace view_rows_detail

/// `reshape_view` also covers Squeeze, Unsqueeze and Flatten.
/// @{
inline constexpr view_row reshape_view{is_reshape,
                                       false,
                                       "the reshaped value is read elsewhere too",
                                       view_rows_detail::after_reshape,
                                       view_rows_detail::before_reshape,
                                       view_rows_detail::origins_in_reshape,
                                       view_rows_detail::reshaped_again};
inline constexpr view_row transpose_view{view_rows_detail::is_transpose,
                                         false,
                                         "the transposed value is read elsewhere too",
                                         view_rows_detail::after_transpose,
                                         view_rows_detail::before_transpose,
                                         view_rows_detail::origins_in_transpose,
                                         view_rows_detail::transposed_again};
inline constexpr view_row expand_view{view_rows_detail::is_expand,
                                      true,
                                      "the broadcast value is read elsewhere too",
                                      view_rows_detail::after_expand,
                                      view_rows_detail::before_expand,
                                      view_rows_detail::origins_in_expand,
                                      view_rows_detail::expanded_again};
inline constexpr const view_row* view_rows[] = {&reshape_view, &transpose_view, &expand_view};
/// @}

/// The row of the operator that makes `v`; null if it is not a view.
inline const view_row* view_of(const value& v) {
  for (const view_row* row : view_rows)
    if (row->is(v)) return row;
  return nullptr;
}
/// Applies the Transpose `v` to y, or reshapes y to `dims` if `v` is a Reshape.
inline value viewed_alike(const value& v, const value& y, const shape& dims) {
  return transpose_view.is(v) ? transpose(y, *transpose_of(v)) : reshape(y, dims);
}
/// The extents of `v`, with `extent` as the extent along the axis.
inline shape with_extent(const value& v, std::int64_t axis, dim extent) {
  shape dims = v.dims();
  dims[static_cast<std::size_t>(axis)] = extent;
  return dims;
}
/// True if a node makes `v` from the elements of its first operand, in another shape or order and without repeating
/// them.
inline bool is_view(const value& v) {
  const view_row* row = view_of(v);
  return row && !row->repeats;
}
/// The value that v is a view of, through all views; v itself if it is not a view.
inline value without_views(value v) {
  while (is_view(v)) v = input_of(v, 0);
  return v;
}
/// `layout_after` returns the layout of `v`, a view of a value with the layout `l`. `layout_before` returns the layout
/// of that value if `v` has the layout `l`. Both are absent if `v` is not a view, or if the layout is unknown.
/// @{
inline std::optional<axis_layout> layout_after(const value& v, const axis_layout& l) {
  const view_row* row = view_of(v);
  return row ? row->after(v, l) : std::nullopt;
}
inline std::optional<axis_layout> layout_before(const value& v, const axis_layout& l) {
  const view_row* row = view_of(v);
  return row ? row->before(v, l) : std::nullopt;
}
/// @}

/// The layout that these views, the outermost first, give x; absent if it is not known.
inline std::optional<axis_layout> layout_through(const std::vector<value>& views, const value& x) {
  std::optional<axis_layout> layout = own_layout(x);
  for (std::size_t i = views.size(); i > 0 && layout; --i) layout = layout_after(views[i - 1], *layout);
  return layout;
}

/// Reorders the elements of x from the order of the parts `from` to the order of the parts `to`, and reshapes x to
/// `target`. `from` and `to` have the same parts.
inline value rearranged(const value& x, const axis_parts& from, const axis_parts& to, const shape& target) {
  if (from == to) return reshape(x, target);
  ints perm;
  for (const axis_part& p : to) perm.push_back(std::ranges::find(from, p) - from.begin());
  return reshape(transpose(reshape(x, extents_of(from)), perm), target);
}

}  // namespace jax2onnx::rewrite
