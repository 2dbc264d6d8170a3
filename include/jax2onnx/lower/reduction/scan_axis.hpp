// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <jax2onnx/lower/control/block_values.hpp>
#include <jax2onnx/lower/control/repeat.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/support/function_ref.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Accumulation along one axis by ONNX's Scan or Loop, for JAX values.
namespace jax2onnx::lower {

/// The results of scan_axis.
struct scan_results {
  jax_values last;     ///< the accumulators after the last element
  jax_values running;  ///< the accumulators after every element, or other results of the steps, stacked along the axis
};

using accumulation = function_ref<jax_values(const jax_values& accumulators, const jax_values& element)>;

/// Returns whether an extent of v other than the extent of `axis` may be 0.
inline bool may_be_empty_beside(const value& v, std::int64_t axis) {
  shape dims = v.dims();
  dims.drop(axis);
  return item_loops::any_of(dims, [&](dim d) { return !never_zero(v.owner(), d); });
}

/// v with axis 0 moved to `axis`.
inline value with_first_axis_at(const value& v, std::int64_t axis) {
  ints perm = iota_axes(v.rank());
  std::rotate(perm.begin(), perm.begin() + 1, perm.begin() + axis + 1);
  return transpose(v, perm);
}

/// accumulators = step(accumulators, element) along `axis` of `sequences`; backward if `reverse` is set. Accumulators
/// start as `first` and keep their types. Values that a step returns after the accumulators are collected, unless
/// `keep_running` asks for the accumulators themselves.
///
/// Emits a Scan if the sequences are known to have at least one element, which ONNX Runtime's Scan requires; otherwise
/// a Loop. Results that may be empty are stacked along axis 0: ONNX Runtime's Scan divides by zero if they are stacked
/// along another axis.
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
  const std::vector<value> starts = tensors_of(first), given = tensors_of(sequences);
  const dim length = given[0].extent(axis);
  const auto results = [&](const loop_result& end, auto finished) {
    std::vector<value> collected;
    for (const value& v : end.collected) collected.push_back(finished(v));
    return scan_results{values_like(first, end.carried), values_like(kept, collected)};
  };
  if (!never_zero(g, length)) {
    const value trips = dim_scalar(g, length);
    const auto turn = [&](const value& iteration, const std::vector<value>& accumulators) {
      const value at = reverse ? sub(sub(trips, 1), iteration) : iteration;
      std::vector<value> elements;
      for (const value& v : given) elements.push_back(gather(v, at, axis));
      return body(accumulators, elements);
    };
    return results(loop(g, trips, {}, starts, turn, {.carried_names = {"acc"}}),
                   [&](const value& v) { return with_first_axis_at(collected_in_order(v, length, reverse), axis); });
  }
  const bool to_front = item_loops::any_of(given, [&](const value& v) { return may_be_empty_beside(v, axis); });
  const scan_options options{
      .carried_names = {"acc"}, .axis = axis, .collected_axis = to_front ? 0 : axis, .reverse = reverse};
  return results(scan(g, starts, given, body, options),
                 [&](const value& v) { return to_front ? with_first_axis_at(v, axis) : v; });
}

/// Each part of `x` broadcast to `dims`.
inline jax_value broadcast_parts(const jax_value& x, const shape& dims) {
  return each_part(x, [&](const value& v) { return broadcast_to(v, dims); });
}

/// Reduces one axis of `xs` by `body`, a computation on scalars. The operands of `body` are the accumulators, which
/// start at the scalars `inits`, then one element of each of `xs`. Without elements the result is `inits`.
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
