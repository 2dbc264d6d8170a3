// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Shape inference of the verbs: constexpr functions. Typed handles call them at compile time, untyped handles at run
/// time.
namespace jax2onnx::infer {

/// A shape, or what is wrong with the operands.
struct result {
  shape dims;                     ///< meaningful if ok()
  std::string_view problem = {};  ///< what is wrong; empty if nothing is
  dim detail = 0;                 ///< replaces {} in the problem
  /// True if the operands fit.
  constexpr bool ok() const { return problem.empty(); }
};

/// True if two extents do not match. While compiling, different symbols do not match.
using differ_test = bool (*)(dim, dim);
/// True if both extents are known and are not the same expression.
constexpr bool may_differ(dim a, dim b) { return a != b && !a.is_dyn() && !b.is_dyn(); }

/// A result that states a problem.
constexpr result fail(std::string_view problem, dim detail = 0) { return {{}, problem, detail}; }

/// Replaces dim_table at compile time: sums and quotients of symbolic extents are unknown extents.
struct constant_dims {
  /// a + b
  static constexpr dim add(dim a, dim b) {
    if (a.is(0) || b.is(0)) return a.is(0) ? b : a;
    return known(a, b) ? a.extent() + b.extent() : dim::dyn();
  }
  /// a - b
  static constexpr dim sub(dim a, dim b) {
    if (a == b && !a.is_dyn()) return 0;
    return b.is(0) ? a : known(a, b) ? a.extent() - b.extent() : dim::dyn();
  }
  /// a / b, rounded down, for a >= 0 and b > 0
  static constexpr dim floordiv(dim a, dim b) {
    return b.is(1) ? a : known(a, b) ? dim(a.extent() / b.extent()) : dim::dyn();
  }

 private:
  static constexpr bool known(dim a, dim b) { return a.is_constant() && b.is_constant(); }
};

/// True if `of` has the axis; negative axes do not count from the end.
constexpr bool is_axis(std::int64_t axis, const shape& of) {
  return axis >= 0 && axis < static_cast<std::int64_t>(of.size());
}

/// The extent that `a` and `b` broadcast to; `dyn` if neither of them is a constant and they are not known to be equal.
constexpr dim broadcast_extent(dim a, dim b) {
  if (a == b || b.is(1)) return a;
  if (a.is(1)) return b;
  if (a.is_constant()) return a;
  if (b.is_constant()) return b;
  return dim::dyn();
}

/// ONNX's multidirectional broadcasting.
constexpr result broadcast(const shape& a, const shape& b, differ_test differ = definitely_differ) {
  const shape& longer = a.size() >= b.size() ? a : b;
  const shape& shorter = a.size() >= b.size() ? b : a;
  result r{longer};
  const std::size_t shift = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const dim x = longer[i + shift], y = shorter[i];
    if (x == y && !x.is_dyn()) continue;
    if (!x.is(1) && !y.is(1) && differ(x, y)) return fail("the shapes do not broadcast");
    r.dims[i + shift] = broadcast_extent(x, y);
  }
  return r;
}

/// ONNX's multidirectional broadcasting of three operands, as in Where.
constexpr result broadcast(const shape& a, const shape& b, const shape& c, differ_test differ = definitely_differ) {
  result ab = broadcast(a, b, differ);
  if (!ab.ok()) return ab;
  return broadcast(ab.dims, c, differ);
}

/// numpy's broadcast_to: repeats extents of 1 and adds leading extents.
constexpr result broadcast_to(const shape& a, const shape& target, differ_test differ = definitely_differ) {
  if (a.size() > target.size()) return fail("the target has fewer dimensions than the operand");
  const std::size_t shift = target.size() - a.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].is(1) && differ(a[i], target[i + shift])) return fail("only a dimension of 1 can be repeated");
  return {target};
}

/// numpy's matmul. A vector on the left is a row, a vector on the right is a column; the result lacks that dimension.
constexpr result matmul(const shape& a, const shape& b, differ_test differ = definitely_differ) {
  if (a.empty() || b.empty()) return fail("the operands need one dimension or more");
  const bool row = a.size() == 1, column = b.size() == 1;
  if (differ(a.back(), column ? b[0] : b[b.size() - 2])) return fail("the inner dimensions differ");
  result r;
  if (b.size() <= 2) {  // no batch on the right
    r.dims.assign(a.begin(), a.end() - 1);
  } else {
    r = broadcast(shape(a.begin(), a.end() - (row ? 1 : 2)), shape(b.begin(), b.end() - 2), differ);
    if (!r.ok()) return fail("the batch dimensions do not broadcast");
    if (!row) r.dims.push_back(a[a.size() - 2]);
  }
  if (!column) r.dims.push_back(b.back());
  return r;
}

/// x w + b: a layer of weights w[in, out] and bias b[out] over the last dimension of x.
constexpr result dense(const shape& x, const shape& w, const shape& b, differ_test differ = definitely_differ) {
  if (x.empty() || w.size() != 2 || b.size() != 1) return fail("dense needs x[.., in], w[in, out] and b[out]");
  if (differ(x.back(), w[0])) return fail("the inner dimensions differ");
  if (differ(w[1], b[0])) return fail("the bias needs one element for each column of the weights");
  result r{shape(x.begin(), x.end() - 1)};
  r.dims.push_back(w[1]);
  return r;
}

/// Axis i of the result is axis perm[i] of a.
constexpr result transpose(const shape& a, std::span<const std::int64_t> perm) {
  if (perm.size() != a.size()) return fail("the permutation needs one entry for each dimension");
  result r;
  for (std::int64_t p : perm) {
    if (!is_axis(p, a)) return fail("the permutation names a dimension that does not exist");
    r.dims.push_back(a[static_cast<std::size_t>(p)]);
  }
  for (std::size_t i = 0; i < perm.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (perm[i] == perm[j]) return fail("the permutation names a dimension twice");
  return r;
}

/// a without the axes, or with extents of 1 in their place if `keep_dims` is set.
constexpr result reduce(const shape& a, std::span<const std::int64_t> axes, bool keep_dims) {
  result r;
  for (std::int64_t axis : axes)
    if (!is_axis(axis, a)) return fail("the axis {} is out of range", axis);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool reduced = item_loops::contains(axes, static_cast<std::int64_t>(i));
    if (!reduced) r.dims.push_back(a[i]);
    else if (keep_dims) r.dims.push_back(1);
  }
  return r;
}

/// An operator along one axis that keeps the shape: Softmax, CumSum.
constexpr result along(const shape& a, std::int64_t axis) {
  if (!is_axis(axis, a)) return fail("the axis {} is out of range", axis);
  return {a};
}

/// a with new axes of extent 1, which are `axes` of the result.
constexpr result unsqueeze(const shape& a, std::span<const std::int64_t> axes) {
  const std::size_t rank = a.size() + axes.size();
  result r;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool added = item_loops::contains(axes, static_cast<std::int64_t>(i));
    if (!added && next == a.size()) return fail("an axis is out of range or named twice");
    r.dims.push_back(added ? dim(1) : a[next++]);
  }
  return r;
}

/// a without these axes, whose extents must be 1.
constexpr result squeeze(const shape& a, std::span<const std::int64_t> axes, differ_test differ = definitely_differ) {
  for (std::int64_t axis : axes) {
    if (!is_axis(axis, a)) return fail("the axis {} is out of range", axis);
    if (differ(a[static_cast<std::size_t>(axis)], 1))
      return fail("axis {} cannot be squeezed: its extent is not 1", axis);
  }
  return reduce(a, axes, false);
}

/// Checks a reshape by the constants among the extents that the two shapes do not share. If all of these are constants
/// in one shape, their product must be a multiple of the product of the other shape's constants.
constexpr result reshape(const shape& a, const shape& target) {
  shape from = a, to;
  for (dim d : target) {
    std::size_t same = 0;
    while (same < from.size() && !(d.is_symbolic() && from[same] == d)) ++same;
    if (same < from.size()) from.drop(static_cast<std::ptrdiff_t>(same));
    else to.push_back(d);
  }
  const auto product = [](const shape& s) {
    std::int64_t n = 1;
    for (dim d : s)
      if (d.is_constant()) n = detail::checked_mul(n, d.extent());
    return n;
  };
  const std::int64_t have = product(from), want = product(to);
  const auto divides = [](std::int64_t n, std::int64_t by) { return by == 0 ? n == 0 : n % by == 0; };
  if ((is_static(from) && !divides(have, want)) || (is_static(to) && !divides(want, have)))
    return fail("the number of elements differs");
  return {target};
}

/// The shape of a, gathered along `axis` by indices: a[:axis] + indices + a[axis+1:].
constexpr result gather(const shape& a, const shape& indices, std::int64_t axis) {
  if (!is_axis(axis, a)) return fail("the axis {} is out of range", axis);
  result r{shape(a.begin(), a.begin() + axis)};
  r.dims.insert(r.dims.end(), indices.begin(), indices.end());
  r.dims.insert(r.dims.end(), a.begin() + axis + 1, a.end());
  return r;
}

// The functions below compute extents: `table` is the graph's dim_table, or constant_dims while compiling.

/// `b` after `a` along `axis`.
constexpr result concat(auto&& table, const shape& a, const shape& b, std::int64_t axis) {
  if (a.size() != b.size()) return fail("the ranks differ");
  if (!is_axis(axis, a)) return fail("the axis {} is out of range", axis);
  result r{a};
  for (std::size_t i = 0; i < a.size(); ++i)
    if (static_cast<std::int64_t>(i) == axis) r.dims[i] = table.add(a[i], b[i]);
    else if (definitely_differ(a[i], b[i])) return fail("the extents of axis {} differ", static_cast<std::int64_t>(i));
  return r;
}

/// a[start : limit : stride] along every axis of `axes`.
constexpr result slice(auto&& table, const shape& a, std::span<const std::int64_t> axes, const shape& starts,
                       const shape& limits, std::span<const std::int64_t> strides) {
  result r{a};
  if (starts.size() != axes.size() || limits.size() != axes.size() || strides.size() != axes.size())
    return fail("axes, starts, limits and strides differ in number");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!is_axis(axes[i], a)) return fail("the axis {} is out of range", axes[i]);
    if (strides[i] < 1) return fail("the stride {} is not positive", strides[i]);
    dim& extent = r.dims[static_cast<std::size_t>(axes[i])];
    const auto above = [](dim x, dim y) { return x.is_constant() && y.is_constant() && x.extent() > y.extent(); };
    if (above(0, starts[i]) || above(starts[i], limits[i]) || above(limits[i], extent))
      return fail("a bound of axis {} is out of range", axes[i]);
    if (starts[i].is(0) && limits[i] == extent && strides[i] == 1) continue;
    const dim length = table.sub(limits[i], starts[i]);
    extent = strides[i] == 1 ? length : table.floordiv(table.add(length, strides[i] - 1), strides[i]);
  }
  return r;
}

/// Adds `low` and `high` elements before and after every axis; negative amounts remove elements.
constexpr result pad(auto&& table, const shape& a, const shape& low, const shape& high) {
  if (low.size() != a.size() || high.size() != a.size()) return fail("there must be one amount for every dimension");
  result r{a};
  for (std::size_t i = 0; i < a.size(); ++i) {
    r.dims[i] = table.add(a[i], table.add(low[i], high[i]));
    if (r.dims[i].is_constant() && r.dims[i].extent() < 0)
      return fail("axis {} has fewer elements than are cropped", static_cast<std::int64_t>(i));
  }
  return r;
}

}  // namespace jax2onnx::infer
