// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/lower/control/block_values.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/support/function_ref.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// ONNX's Loop for iterative algorithms: an iteration is a C++ function on JAX values, which may be complex.
namespace jax2onnx::lower {

/// Loop-carried values.
using carried_values = jax_values;

/// The result of one iteration.
struct loop_turn {
  carried_values carried;
  value keep_going;  ///< bool scalar, true if there is a next iteration; absent: the trip count decides
};

using turn_body = function_ref<loop_turn(const value& iteration, const carried_values& carried)>;
using counted_body = function_ref<carried_values(const value& k, const carried_values& carried)>;

/// Returns whether the extent is known to be at least 1.
inline bool never_zero(graph& g, dim n) { return g.dims().known_nonnegative(g.dims().sub(n, 1)); }

/// Values that a Loop collected in `trips` iterations, backward if `reverse` is set, in the order of the sequences that
/// it read. A Reshape restores symbolic extents, which ONNX Runtime's Loop loses if it runs no iteration.
inline value collected_in_order(const value& collected, dim trips, bool reverse) {
  graph& g = collected.owner();
  shape dims = collected.dims();
  dims[0] = trips;
  const bool open = item_loops::any_of(dims.tail(1), [](dim d) { return !d.is_constant(); });
  value v = collected;
  if (!trips.is_constant() && (open || collected.dims() != dims))
    v = g.emit("Reshape", {v, shape_value(g, dims)}, {v.dtype(), dims}, {{"allowzero", std::int64_t{1}}});
  return reverse ? ops::reverse(v, {0}) : v;
}

inline value as_scalar(graph& g, dim n) {
  return n.is_constant() ? scalar(g, dtype::i64, n.extent()) : reshape(dim_value(g, n), {});
}

/// The carried values after at most `trips` iterations of `body`; ends after an iteration without keep_going.
/// Iterations are numbered 0, 1, … (an int64 scalar).
inline carried_values repeat_while(graph& g, const value& trips, const carried_values& first, turn_body body) {
  const auto step = [&](const value& iteration, const std::vector<value>& carried) {
    const loop_turn turn = body(iteration, values_like(first, carried));
    return loop_step{turn.keep_going, tensors_of(turn.carried)};
  };
  return values_like(first, loop(g, trips, scalar(g, dtype::boolean, 1), tensors_of(first), step).carried);
}

/// The carried values after `body(k, carried)` for k = 0 … trips - 1, or for trips - 1 … 0 if `backward` is set; k is
/// an int64[1].
inline carried_values repeat(graph& g, dim trips, const carried_values& first, counted_body body,
                             bool backward = false) {
  const value count = as_scalar(g, trips);
  return repeat_while(g, count, first, [&](const value& iteration, const carried_values& carried) {
    const value k = backward ? sub(sub(count, 1), iteration) : iteration;
    return loop_turn{body(unsqueeze(k, {0}), carried), {}};
  });
}

/// The carried values after an iteration or a loop, and the values that it collects.
struct collecting_turn {
  carried_values carried, collected;
};

using collecting_body = function_ref<collecting_turn(const value& k, const carried_values& carried)>;

/// As repeat, for k as an int64 scalar. What the iterations collect is stacked along a new first axis, in the order of
/// k.
inline collecting_turn repeat_collecting(graph& g, dim trips, const carried_values& first, collecting_body body,
                                         bool backward = false) {
  const value count = as_scalar(g, trips);
  carried_values like;
  const auto step = [&](const value& iteration, const std::vector<value>& carried) {
    const value k = backward ? sub(sub(count, 1), iteration) : iteration;
    const collecting_turn turn = body(k, values_like(first, carried));
    like = turn.collected;
    return loop_step{{}, tensors_of(turn.carried), tensors_of(turn.collected)};
  };
  loop_result last = loop(g, count, scalar(g, dtype::boolean, 1), tensors_of(first), step);
  for (value& v : last.collected) v = collected_in_order(v, trips, backward);
  return {values_like(first, last.carried), values_like(like, last.collected)};
}

}  // namespace jax2onnx::lower
