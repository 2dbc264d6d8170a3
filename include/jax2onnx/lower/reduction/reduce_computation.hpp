#pragma once

#include <vector>

#include <jax2onnx/lower/reduction/reducer.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>
#include <jax2onnx/lower/table.hpp>

/// reduce with a computation of its own. Source: jax.lax.reduce.
namespace jax2onnx::lower {

/// x with the dimensions `axes` merged into one, which comes first.
inline value merge_axes(const value& x, const ints& axes) {
  const ints rest = complement(x.rank(), axes);
  shape merged{x.owner().dims().product(extents_at(x.dims(), axes))};
  for (dim d : extents_at(x.dims(), rest)) merged.push_back(d);
  return jax2onnx::reshape(jax2onnx::transpose(x, joined(axes, rest)), merged);
}

/// reduce operand… init…: the computation takes the accumulators, then an element of every operand.
inline jax_values reduce_computation(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  ints axes = s.param<ints>("dimensions");
  s.find("consts");       // empty: the jaxpr is closed
  s.find("computation");  // the function that the jaxpr was traced from
  std::ranges::sort(axes);
  const std::size_t n = s.arity() / 2;
  if (n == 0 || s.arity() != 2 * n) s.unsupported("it lacks an operand or an initial value");
  const reducer kind = n == 1 ? reducer_of(body, s.in_type(0)) : reducer::other;
  if (kind != reducer::other) {
    jax_value out;
    for (std::size_t p = 0; p < s.in_parts(0).count; ++p)
      out.parts[out.count++] = with_init(kind, reduce_by(kind, s.in_parts(0).parts[p], axes), s.in_parts(1).parts[p]);
    return {out};
  }
  jax_values xs(s.ins().begin(), s.ins().begin() + static_cast<std::ptrdiff_t>(n)),
      inits(s.ins().begin() + static_cast<std::ptrdiff_t>(n), s.ins().end());
  const bool merge = axes.size() != 1;
  for (jax_value& x : xs)
    for (std::size_t p = 0; p < x.count; ++p)
      if (merge) x.parts[p] = merge_axes(x.parts[p], axes);
  return reduce_by_computation(s, body, xs, inits, merge ? 0 : axes[0]);
}

inline constexpr lowering reduce_computation_rows[] = {
    {"reduce", reduce_computation, "ReduceSum, ReduceProd, ReduceMax, ReduceMin; Scan", parts_rule::own},
};

}  // namespace jax2onnx::lower
