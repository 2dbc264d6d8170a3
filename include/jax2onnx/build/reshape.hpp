#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <jax2onnx/build/extents.hpp>

/// The verbs that change a shape and keep the elements.
namespace jax2onnx {

/// x with the extents `target`, in row-major order. Zeros (copy) and one -1 keep run-time shapes out of the graph.
inline value reshape(const value& x, const shape& target) {
  if (x.dims() == target) return x;
  graph& g = x.owner();
  const shape out = checked("Reshape", infer::reshape(x.dims(), target), {x});
  const bool empty = std::ranges::any_of(target, [](dim d) { return d.is(0); });
  ints numbers;
  int unknown = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i].is_constant()) numbers.push_back(target[i].extent());
    else if (!empty && i < x.dims().size() && target[i] == x.dims()[i]) numbers.push_back(0);
    else if (++unknown == 1 && !empty) numbers.push_back(-1);
  }
  const bool plain = numbers.size() == target.size();
  const value sizes = plain ? int64s(g, numbers) : shape_value(g, target);
  std::vector<attribute> attributes;
  if (empty) attributes.push_back({"allowzero", std::int64_t{1}});
  return g.emit("Reshape", {x, sizes}, {x.dtype(), out}, std::move(attributes));
}

/// Dimension i of the result is dimension perm[i] of x.
inline value transpose(const value& x, const ints& perm) {
  if (std::ranges::is_sorted(perm) && std::ssize(perm) == x.rank()) return x;
  return x.owner().emit("Transpose", {x}, {x.dtype(), checked("Transpose", infer::transpose(x.dims(), perm), {x})},
                        {{"perm", perm}});
}

/// Inserts extents of 1, so that they are at `axes` of the result.
inline value unsqueeze(const value& x, const ints& axes) {
  if (axes.empty()) return x;
  return x.owner().emit("Unsqueeze", {x, int64s(x.owner(), axes)},
                        {x.dtype(), checked("Unsqueeze", infer::unsqueeze(x.dims(), axes), {x})});
}

/// Removes dimensions of extent 1.
inline value squeeze(const value& x, const ints& axes) {
  if (axes.empty()) return x;
  return x.owner().emit("Squeeze", {x, int64s(x.owner(), axes)},
                        {x.dtype(), checked("Squeeze", infer::squeeze(x.dims(), axes), {x})});
}

/// numpy's broadcast_to. Extents that x already has need no value: Expand leaves a dimension alone where it is told 1.
inline value broadcast_to(const value& x, const shape& target) {
  if (x.dims() == target) return x;
  checked("Expand", infer::broadcast_to(x.dims(), target), {x});
  shape asked = target;
  const std::size_t shift = target.size() - std::min(target.size(), x.dims().size());
  bool needed = shift > 0;
  for (std::size_t i = 0; i < x.dims().size(); ++i) {
    if (x.dims()[i].is(1) && !target[i + shift].is(1)) needed = true;
    else asked[i + shift] = 1;
  }
  if (!needed) return x;
  return x.owner().emit("Expand", {x, shape_value(x.owner(), asked)}, {x.dtype(), target});
}

/// A tensor whose elements are all `number`.
template <class Number>
value filled(graph& g, dtype t, const shape& dims, Number number) {
  return broadcast_to(scalar(g, t, number), dims);
}

}  // namespace jax2onnx
