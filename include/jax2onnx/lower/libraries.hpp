#pragma once

#include <jax2onnx/lower/calls.hpp>
#include <jax2onnx/lower/elementwise.hpp>
#include <jax2onnx/lower/reduce.hpp>

/// Primitives that libraries on top of JAX define.
namespace jax2onnx::lower {

/// Equinox's unvmap_any, unvmap_all, unvmap_max: over all elements, to a scalar. Source: equinox/internal/_unvmap.py.
template <op_name Op>
results over_all(const site& s) {
  return {reduced(Op.view(), s.in(0), iota_axes(s.in(0).rank()))};
}

/// Equinox's nonbatchable, nondifferentiable, …: they make some transformation of a value an error.
inline constexpr lowering library_rows[] = {
    {"nonbatchable", same_values, "", parts_rule::own},
    {"nondifferentiable", same_values, "", parts_rule::own},
    {"nondifferentiable_backward", same_values, "", parts_rule::own},
    {"unvmap_all", over_all<"ReduceMin">, "ReduceMin"},
    {"unvmap_any", over_all<"ReduceMax">, "ReduceMax"},
    {"unvmap_max", over_all<"ReduceMax">, "ReduceMax"},
};

}  // namespace jax2onnx::lower
