// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/graph/constant_integers.hpp>
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
  value keep_going;  ///< bool scalar, true if there is a next iteration; if absent, the trip count decides
};

using turn_body = function_ref<loop_turn(const value& iteration, const carried_values& carried)>;
using counted_body = function_ref<carried_values(const value& k, const carried_values& carried)>;

/// Returns whether the extent is known to be at least 1.
inline bool never_zero(graph& g, dim n) { return g.dims().known_nonnegative(g.dims().sub(n, 1)); }

/// Values that a Loop collected in `trips` iterations, in the order of the sequences that the Loop read. If `reverse`
/// is set, the Loop read the sequences backward. A Reshape restores symbolic extents, which ONNX Runtime's Loop loses
/// if it runs no iteration.
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

/// The carried values after at most `trips` iterations of `body`; ends after an iteration whose keep_going is false.
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

/// The carried values after an iteration or a loop, and the collected values.
struct collecting_turn {
  carried_values carried, collected;
};

using collecting_body = function_ref<collecting_turn(const value& k, const carried_values& carried)>;

/// Like repeat, but k is an int64 scalar. The values that the iterations collect are stacked along a new first axis, in
/// the order of k.
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

/// The values at index i of all lists, joined along the first axis, and reversed along this axis if `reverse` is set.
inline jax_value stacked_items(const std::vector<carried_values>& lists, std::size_t i, bool reverse) {
  return from_parts(lists[0][i].count, [&](std::size_t part) {
    std::vector<value> all;
    for (const carried_values& list : lists) all.push_back(list[i].parts[part]);
    const value whole = concat(all, 0);
    return reverse ? ops::reverse(whole, {0}) : whole;
  });
}

/// Like repeat_collecting, but `body` gets a block of values of k in order, an int64[b], and collects b values along
/// the first axis. The first block is the remainder; the other blocks have `most` values. The Loop over blocks has
/// fewer iterations than a Loop over k, so it takes less time and is unrolled more often. With fewer than 2 * `most`
/// trips, no Loop is needed.
inline collecting_turn repeat_in_blocks(graph& g, std::int64_t trips, std::int64_t most, const carried_values& first,
                                        collecting_body body, bool backward = false) {
  const auto numbers = [&](std::int64_t begin, std::int64_t count) {
    ints out;
    for (std::int64_t k = begin; k < begin + count; ++k) out.push_back(backward ? trips - 1 - k : k);
    return int64s(g, out);
  };
  const std::int64_t remainder = trips % most, blocks = trips / most;
  collecting_turn last{first, {}};
  std::vector<carried_values> parts;
  const auto once = [&](std::int64_t begin, std::int64_t count) {
    last = body(numbers(begin, count), last.carried);
    parts.push_back(last.collected);
  };
  if (remainder > 0) once(0, remainder);
  if (blocks == 1) once(remainder, most);
  if (blocks > 1) {
    last = repeat_collecting(g, blocks, last.carried, [&](const value& block, const carried_values& carried) {
      const value moved = mul(block, backward ? -most : most);
      return body(add(moved, numbers(remainder, most)), carried);
    });
    for (jax_value& v : last.collected)
      v = each_part(v, [&](const value& stacked) {
        shape dims = stacked.dims();
        dims.drop(0);
        dims[0] = blocks * dims[0].extent();
        return reshape(stacked, dims);
      });
    parts.push_back(last.collected);
  }
  for (std::size_t i = 0; i < last.collected.size(); ++i) last.collected[i] = stacked_items(parts, i, backward);
  return last;
}

/// Like repeat_in_blocks, but `body` gets one value of k at a time, as an int64[1], and collects values that are joined
/// along the first axis.
inline collecting_turn repeat_each(graph& g, std::int64_t trips, std::int64_t most, const carried_values& first,
                                   collecting_body body, bool backward = false) {
  const auto step = [&](const value& indices, const carried_values& carried) {
    const auto known = constant_integers(indices);
    const auto index = [&](std::int64_t j) {
      return known ? int64s(g, {(*known)[static_cast<std::size_t>(j)]}) : gather(indices, int64s(g, {j}), 0);
    };
    std::vector<carried_values> found;
    collecting_turn last{carried, {}};
    for (std::int64_t j = 0; j < indices.extent(0).extent(); ++j) {
      last = body(index(j), last.carried);
      found.push_back(last.collected);
    }
    for (std::size_t i = 0; i < last.collected.size(); ++i) last.collected[i] = stacked_items(found, i, false);
    return last;
  };
  return repeat_in_blocks(g, trips, most, first, step, backward);
}

}  // namespace jax2onnx::lower
