#pragma once

#include <jax2onnx/lower/elementwise.hpp>

/// Reductions over axes, and argmax/argmin.
namespace jax2onnx::lower {

template <op_name Op>
results reduce_axes(const site& s) {
  return {reduce(Op.view(), s.in(0), s.param<ints>("axes"))};
}

/// reduce_and, reduce_or of bool: the minimum or maximum of 0 and 1.
template <op_name Op>
results reduce_bool(const site& s) {
  if (!is_boolean(s.in_dtype())) s.unsupported("bitwise reduction of integers");
  const ints axes = s.param<ints>("axes");
  return {cast(reduce(Op.view(), cast(s.in(0), dtype::i32), axes), dtype::boolean)};
}

inline constexpr lowering reduce_rows[] = {
    {"reduce_and", reduce_bool<"ReduceMin">, "Cast, ReduceMin"},
    {"reduce_max", reduce_axes<"ReduceMax">, "ReduceMax"},
    {"reduce_min", reduce_axes<"ReduceMin">, "ReduceMin"},
    {"reduce_or", reduce_bool<"ReduceMax">, "Cast, ReduceMax"},
    {"reduce_prod", reduce_axes<"ReduceProd">, "ReduceProd"},
    {"reduce_sum", reduce_axes<"ReduceSum">, "ReduceSum", parts_rule::each},
};

}  // namespace jax2onnx::lower
