// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/operators/views/producer.hpp>
#include <jax2onnx/ops/extents.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Verbs that change the shape and keep the elements.
namespace jax2onnx::detail {

/// The sizes for a Reshape to `target`: zeros (copy the extent) and one -1 (infer it) avoid computing a shape at run
/// time. nullopt if zeros and one -1 do not suffice.
inline std::optional<ints> reshape_sizes(const shape& from, const shape& target) {
  const bool empty = is_empty(target);
  ints numbers;
  int unknown = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i].is_constant()) numbers.push_back(target[i].extent());
    else if (!empty && i < from.size() && target[i] == from[i] && !target[i].is_dyn()) numbers.push_back(0);
    else if (++unknown == 1 && !empty) numbers.push_back(-1);
    else return std::nullopt;
  }
  return numbers;
}

/// x before the reshapes that produced it. A further reshape replaces these reshapes.
inline value unreshaped(value x) {
  while (operators::has_trait(x, operators::trait::reshapes)) x = operators::input_of(x, 0);
  return x;
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// x with the extents `target`, in row-major order (Reshape; Squeeze to a scalar). Throws a build_error if the number
/// of elements is known to differ.
inline value reshape(value x, const shape& target) {
  if (x.dims() == target) return x;
  graph& g = x.owner();
  const shape out = detail::checked("Reshape", infer::reshape(x.dims(), target), {x});
  if (const value source = detail::unreshaped(x); detail::reshape_sizes(source.dims(), target)) x = source;
  if (x.dims() == target) return x;
  constexpr std::uint64_t small = 256;
  if (is_static(target) && x.is_constant() && x.data().in_place() && x.data().size() <= small)
    return g.constant({x.dtype(), out}, x.data());
  if (target.empty() && is_static(x.dims()))
    return g.emit("Squeeze", {x, int64s(g, iota_axes(x.rank()))}, {x.dtype(), out});
  const std::optional<ints> numbers = detail::reshape_sizes(x.dims(), target);
  std::vector<attribute> attributes;
  if (is_empty(target)) attributes.push_back({"allowzero", std::int64_t{1}});
  return g.emit("Reshape", {x, numbers ? int64s(g, *numbers) : shape_value(g, target)}, {x.dtype(), out},
                std::move(attributes));
}
/// reshape() to a list of extents in braces.
template <std::same_as<value> Value>
value reshape(const Value& x, std::initializer_list<dim> target) {
  return reshape(x, shape(target));
}

/// Dimension i of the result is dimension perm[i] of x (Transpose).
inline value transpose(const value& x, const ints& perm) {
  if (perm == iota_axes(x.rank())) return x;
  return x.owner().emit("Transpose", {x},
                        {x.dtype(), detail::checked("Transpose", infer::transpose(x.dims(), perm), {x})},
                        {{"perm", perm}});
}

/// Inserts extents of 1 at the `axes` of the result (Unsqueeze, opset 13).
inline value unsqueeze(const value& x, const ints& axes) {
  if (axes.empty()) return x;
  const shape out = detail::checked("Unsqueeze", infer::unsqueeze(x.dims(), axes), {x});
  if (x.is_constant() || !same_value(detail::unreshaped(x), x)) return reshape(x, out);
  return x.owner().emit("Unsqueeze", {x, int64s(x.owner(), axes)}, {x.dtype(), out});
}
/// unsqueeze() for a list of axes in braces.
template <std::same_as<value> Value>
value unsqueeze(const Value& x, std::initializer_list<std::int64_t> axes) {
  return unsqueeze(x, ints(axes));
}

/// Removes the dimensions `axes`, whose extents are 1 (Squeeze, opset 13).
inline value squeeze(const value& x, const ints& axes) {
  if (axes.empty()) return x;
  const shape out = detail::checked("Squeeze", infer::squeeze(x.dims(), axes), {x});
  if (x.is_constant() || !same_value(detail::unreshaped(x), x)) return reshape(x, out);
  return x.owner().emit("Squeeze", {x, int64s(x.owner(), axes)}, {x.dtype(), out});
}
/// squeeze() for a list of axes in braces.
template <std::same_as<value> Value>
value squeeze(const Value& x, std::initializer_list<std::int64_t> axes) {
  return squeeze(x, ints(axes));
}

/// numpy's broadcast_to (Expand). Throws a build_error if x does not broadcast to `target`.
inline value broadcast_to(const value& x, const shape& target) {
  if (x.dims() == target) return x;
  detail::checked("Expand", infer::broadcast_to(x.dims(), target), {x});
  // An empty result does not depend on x, and ONNX Runtime drops an Expand of 1 to 0 as a no-op.
  if (is_empty(target) && is_static(target)) return x.owner().constant({x.dtype(), target}, bytes());
  if (is_empty(target)) return reshape(x.owner().constant({x.dtype(), {0}}, bytes()), target);
  shape asked = target;  // Expand keeps a dimension if the requested extent is 1
  const std::size_t shift = target.size() - x.dims().size();
  // A weight keeps its shape, since its readers broadcast.
  bool needed =
      (shift > 0 && x.is_constant()) || !item_loops::all_equal(target.head(static_cast<std::ptrdiff_t>(shift)), dim(1));
  for (std::size_t i = 0; i < x.dims().size(); ++i) {
    if (x.dims()[i].is(1) && !target[i + shift].is(1)) needed = true;
    else asked[i + shift] = 1;
  }
  if (!needed) return unsqueeze(x, iota_axes(static_cast<std::int64_t>(shift)));
  return x.owner().emit("Expand", {x, shape_value(x.owner(), asked)}, {x.dtype(), target});
}

/// A tensor whose elements are all `number`.
template <class Number>
value filled(graph& g, dtype t, const shape& dims, Number number) {
  return broadcast_to(scalar(g, t, number), dims);
}

}  // namespace jax2onnx::ops
