#pragma once

#include <jax2onnx/lower/calls.hpp>
#include <jax2onnx/lower/elementwise.hpp>

/// Primitives that libraries on top of JAX define.
namespace jax2onnx::lower {

/// Equinox's unvmap_any, unvmap_all, unvmap_max: over all elements, to a scalar. Source: equinox/internal/_unvmap.py.
template <op_name Op>
results over_all(const site& s) {
  const value x = s.in(0);
  const value number = is_boolean(x.dtype()) ? cast(x, dtype::i32) : x;
  return {cast(reduce(Op.view(), number, iota_axes(x.rank())), s.out_dtype())};
}

/// Equinox's nonbatchable, nondifferentiable, …: they make some transformation of a value an error.
inline constexpr lowering library_rows[] = {
    {"nonbatchable", same_values, "", parts_rule::own},
    {"nondifferentiable", same_values, "", parts_rule::own},
    {"nondifferentiable_backward", same_values, "", parts_rule::own},
    {"unvmap_all", over_all<"ReduceMin">, "ReduceMin, Cast"},
    {"unvmap_any", over_all<"ReduceMax">, "ReduceMax, Cast"},
    {"unvmap_max", over_all<"ReduceMax">, "ReduceMax"},
};

}  // namespace jax2onnx::lower
