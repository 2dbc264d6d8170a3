// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <jax2onnx/lower/reduction/reducer.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>
#include <jax2onnx/lower/reduction/types.hpp>
#include <jax2onnx/lower/table.hpp>

/// Lowers reduce with any computation: to ONNX's reductions if the computation is a known reducer, otherwise to a Scan.
/// Source: jax.lax.reduce.
namespace jax2onnx::lower {

/// reduce operand… init…: the parameters of the computation are the accumulators, then one element of every operand.
inline jax_values reduce_computation(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  ints axes = s.param<ints>("dimensions");
  std::ranges::sort(axes);
  const std::size_t n = s.arity() / 2;
  const reducer kind = n == 1 ? reducer_of(body, s.in_type(0)) : reducer::other;
  if (kind != reducer::other) {
    return {each_part(s.in_parts(0), s.in_parts(1), [&](const value& x, const value& init) {
      return with_init(kind, reduce_by(kind, x, axes), init);
    })};
  }
  const auto operands = s.ins().first(n), inits = s.ins().subspan(n);
  jax_values xs(operands.begin(), operands.end());
  const bool merge = axes.size() != 1;
  for (jax_value& x : xs)
    if (merge) x = each_part(x, [&](const value& v) { return merge_axes_first(v, axes); });
  return reduce_by_computation(s, body, xs, {inits.begin(), inits.end()}, merge ? 0 : axes[0]);
}

inline constexpr lowering reduce_computation_rows[] = {
    {"reduce", reduce_computation, "ReduceSum, ReduceProd, ReduceMax, ReduceMin; Scan",
     signature{or_more(2),
               or_more(1),
               reduce_computation_types,
               {{"dimensions", param_form::axes}, {"jaxpr", param_form::body}}},
     parts_rule::own, ignores{"computation consts"}},
};

}  // namespace jax2onnx::lower
