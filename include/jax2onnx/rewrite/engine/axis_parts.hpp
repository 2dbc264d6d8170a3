#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>

/// Where Reshapes and Transposes take the axes of a value.
namespace jax2onnx::rewrite {

/// A part of an axis: of index i along the axis, the part is (i / step) % extent.
struct axis_part {
  std::int64_t axis = 0;
  dim extent = dim(1), step = dim(1);
  friend bool operator==(const axis_part&, const axis_part&) = default;
};

/// Parts in the order of the elements, the outermost first. Extents of 1 have none.
using axis_parts = std::vector<axis_part>;

/// The parts that every axis of a value is made of.
using axis_layout = std::vector<axis_parts>;

/// The whole axis `axis`; nothing for an extent of 1.
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

/// The same with the parts joined that are neighbours in their axis, too. Equal where the order of elements is.
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

/// Distributes parts over the axes of a Reshape's result.
class part_reader {
 public:
  part_reader(dim_table& dims, axis_parts parts, const shape& target)
      : dims_(dims), parts_(std::move(parts)), target_(target), out_(target.size()) {}

  /// Absent where an axis of the result would share an extent with its neighbour that no division gives.
  std::optional<axis_layout> run() {
    for (; to_ < target_.size(); ++to_)
      if (!target_[to_].is(1) && !take_whole() && !take_outer() && !take_several()) return std::nullopt;
    return from_ == parts_.size() ? std::optional(out_) : std::nullopt;
  }

 private:
  bool take_whole() {
    if (from_ == parts_.size() || parts_[from_].extent != target_[to_]) return false;
    out_[to_].push_back(parts_[from_++]);
    return true;
  }
  /// Splits the next part: the axis has the outer one.
  bool take_outer() {
    if (from_ == parts_.size()) return false;
    axis_part& p = parts_[from_];
    const dim rest = extent_behind(p.extent);
    if (rest.is(0)) return false;
    out_[to_].push_back({p.axis, target_[to_], dims_.mul(rest, p.step)});
    p.extent = rest;
    return true;
  }
  /// What is left of an extent behind the axis: the quotient, or the product of axes that follow. 0 where neither is.
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

/// The parts of a Reshape's result with no extent of 0.
inline std::optional<axis_layout> reshaped(dim_table& dims, const axis_layout& l, const shape& target) {
  return part_reader(dims, all_parts(l), target).run();
}

/// Whether `v` is its first input with the axes in another shape or order.
inline bool is_view(const value& v) { return is_reshape(v) || producer(v, "Transpose"); }

/// The layout of a Transpose or a Reshape `v` of a value with the layout `l`.
inline std::optional<axis_layout> layout_after(const value& v, const axis_layout& l) {
  if (is_reshape(v)) return reshaped(v.owner().dims(), l, v.dims());
  ints perm;
  if (!match(v, m_transpose(perm, m_any()))) return std::nullopt;
  axis_layout out;
  for (const std::int64_t axis : perm) out.push_back(l[static_cast<std::size_t>(axis)]);
  return out;
}

/// The layout of the first input of a Transpose, a Reshape or an Expand `v` with the layout `l`. The input of an Expand
/// lacks the parts that are repeated.
inline std::optional<axis_layout> layout_before(const value& v, const axis_layout& l) {
  const shape& before = input_of(v, 0).dims();
  if (is_reshape(v)) return reshaped(v.owner().dims(), l, before);
  axis_layout out(before.size());
  if (ints perm; match(v, m_transpose(perm, m_any()))) {
    for (std::size_t i = 0; i < perm.size(); ++i) out[static_cast<std::size_t>(perm[i])] = l[i];
    return out;
  }
  if (!producer(v, "Expand") || before.size() > l.size()) return std::nullopt;
  const std::size_t added = l.size() - before.size();
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!before[i].is(1)) out[i] = l[added + i];
  return out;
}

/// x, whose elements have the order of the parts `from`, with the order of the parts `to`, as `target`. Both have the
/// same parts.
inline value rearranged(const value& x, const axis_parts& from, const axis_parts& to, const shape& target) {
  if (from == to) return reshape(x, target);
  ints perm;
  for (const axis_part& p : to) perm.push_back(std::ranges::find(from, p) - from.begin());
  return reshape(transpose(reshape(x, extents_of(from)), perm), target);
}

}  // namespace jax2onnx::rewrite
