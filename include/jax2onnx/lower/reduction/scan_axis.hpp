// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <jax2onnx/lower/control/block_values.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/support/function_ref.hpp>

/// Accumulation along one axis by ONNX's Scan, for JAX values.
namespace jax2onnx::lower {

/// The results of scan_axis.
struct scan_results {
  jax_values last;     ///< the accumulators after the last element
  jax_values running;  ///< stacked along the axis: the accumulators after every element, or other results of the steps
};

using accumulation = function_ref<jax_values(const jax_values& accumulators, const jax_values& element)>;

/// accumulators = step(accumulators, element) along `axis` of `sequences`, which have at least one element there;
/// backward if `reverse` is set. Accumulators start as `first` and keep their types. Values that a step returns after
/// the accumulators are collected, unless `keep_running` asks for the accumulators themselves.
inline scan_results scan_axis(graph& g, const jax_values& first, const jax_values& sequences, std::int64_t axis,
                              bool reverse, bool keep_running, accumulation step) {
  jax_values kept = first;
  const auto body = [&](const std::vector<value>& accumulators, const std::vector<value>& elements) {
    const jax_values stepped = step(values_like(first, accumulators), values_like(sequences, elements));
    const std::span<const jax_value> all = stepped;
    if (!keep_running) kept.assign(stepped.begin() + std::ssize(first), stepped.end());
    return loop_step{
        {}, tensors_of(all.first(first.size())), tensors_of(keep_running ? all : all.subspan(first.size()))};
  };
  const loop_result end = scan(g, tensors_of(first), tensors_of(sequences), body,
                               {.carried_names = {"acc"}, .axis = axis, .reverse = reverse});
  return {values_like(first, end.carried), values_like(kept, end.collected)};
}

/// Each part of `x` broadcast to `dims`.
inline jax_value broadcast_parts(const jax_value& x, const shape& dims) {
  return each_part(x, [&](const value& v) { return broadcast_to(v, dims); });
}

/// Reduces one axis of `xs` by `body`, a computation on scalars: accumulators, which start at the scalars `inits`, then
/// one element of each operand. Without elements the result is `inits`.
inline jax_values reduce_by_computation(const site& s, const jaxpr::body& body, const jax_values& xs,
                                        const jax_values& inits, std::int64_t axis) {
  shape rest = xs[0].re().dims();
  const dim length = rest[static_cast<std::size_t>(axis)];
  rest.drop(axis);
  jax_values first;
  for (const jax_value& o : inits) first.push_back(broadcast_parts(o, rest));
  if (length.is(0)) return first;
  return scan_axis(s.g, first, xs, axis, false, false,
                   [&](jax_values accumulators, const jax_values& elements) {
                     append(accumulators, elements);
                     return s.inline_elementwise(body, accumulators, rest);
                   })
      .last;
}

}  // namespace jax2onnx::lower
