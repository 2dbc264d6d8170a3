#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include <jax2onnx/build/dim.hpp>

/// Shape inference of the ops: one constexpr function each, called while compiling for the typed handle and at run time
/// for the erased one.
namespace jax2onnx::infer {

/// A shape, or what is wrong with the operands.
struct result {
  shape dims;
  std::string_view problem = {};
  constexpr bool ok() const { return problem.empty(); }
};

constexpr result fail(std::string_view problem) { return {{}, problem}; }

/// The extent that `a` and `b` broadcast to; `dyn` when two expressions are not known to be equal.
constexpr dim broadcast_extent(dim a, dim b) {
  if (a == b || b.is(1)) return a;
  if (a.is(1)) return b;
  if (a.is_constant()) return a;
  if (b.is_constant()) return b;
  return dim::dyn();
}

/// ONNX's multidirectional broadcasting.
constexpr result broadcast(const shape& a, const shape& b) {
  const shape& longer = a.size() >= b.size() ? a : b;
  const shape& shorter = a.size() >= b.size() ? b : a;
  result r{longer};
  const std::size_t shift = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const dim x = longer[i + shift], y = shorter[i];
    if (definitely_differ(x, y) && !x.is(1) && !y.is(1)) return fail("the shapes do not broadcast");
    r.dims[i + shift] = broadcast_extent(x, y);
  }
  return r;
}

/// MatMul of operands of rank 2 or more (numpy's matmul).
constexpr result matmul(const shape& a, const shape& b) {
  if (a.size() < 2 || b.size() < 2) return fail("the operands need two dimensions or more");
  if (definitely_differ(a[a.size() - 1], b[b.size() - 2])) return fail("the inner dimensions differ");
  result r = broadcast(shape(a.begin(), a.end() - 2), shape(b.begin(), b.end() - 2));
  if (!r.ok()) return fail("the batch dimensions do not broadcast");
  r.dims.push_back(a[a.size() - 2]);
  r.dims.push_back(b[b.size() - 1]);
  return r;
}

constexpr result transpose(const shape& a, std::span<const std::int64_t> perm) {
  if (perm.size() != a.size()) return fail("the permutation has another length than the shape");
  result r;
  for (std::int64_t p : perm) {
    if (p < 0 || p >= static_cast<std::int64_t>(a.size())) return fail("the permutation names a dimension that is not there");
    r.dims.push_back(a[static_cast<std::size_t>(p)]);
  }
  for (std::size_t i = 0; i < perm.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (perm[i] == perm[j]) return fail("the permutation names a dimension twice");
  return r;
}

constexpr result reduce(const shape& a, std::span<const std::int64_t> axes, bool keep_dims) {
  result r;
  for (std::int64_t axis : axes)
    if (axis < 0 || axis >= static_cast<std::int64_t>(a.size())) return fail("an axis is out of range");
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool reduced = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) != axes.end();
    if (!reduced) r.dims.push_back(a[i]);
    else if (keep_dims) r.dims.push_back(1);
  }
  return r;
}

constexpr result unsqueeze(const shape& a, std::span<const std::int64_t> axes) {
  const std::size_t rank = a.size() + axes.size();
  result r;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool added = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) != axes.end();
    if (!added && next == a.size()) return fail("an axis is out of range or named twice");
    r.dims.push_back(added ? dim(1) : a[next++]);
  }
  return r;
}

constexpr result squeeze(const shape& a, std::span<const std::int64_t> axes) {
  for (std::int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(a.size())) return fail("an axis is out of range");
    if (definitely_differ(a[static_cast<std::size_t>(axis)], 1)) return fail("a squeezed dimension is not 1");
  }
  return reduce(a, axes, false);
}

/// A reshape can be judged where every extent is constant.
constexpr result reshape(const shape& a, const shape& target) {
  std::int64_t from = 1, to = 1;
  for (dim d : a) from = d.is_constant() && from >= 0 ? from * d.extent() : -1;
  for (dim d : target) to = d.is_constant() && to >= 0 ? to * d.extent() : -1;
  if (from >= 0 && to >= 0 && from != to) return fail("the number of elements differs");
  return {target};
}

/// The shape of operand `axis`-gathered by indices: a[:axis] + indices + a[axis+1:].
constexpr result gather(const shape& a, const shape& indices, std::int64_t axis) {
  if (axis < 0 || axis >= static_cast<std::int64_t>(a.size())) return fail("the axis is out of range");
  result r{shape(a.begin(), a.begin() + axis)};
  r.dims.insert(r.dims.end(), indices.begin(), indices.end());
  r.dims.insert(r.dims.end(), a.begin() + axis + 1, a.end());
  return r;
}

}  // namespace jax2onnx::infer
