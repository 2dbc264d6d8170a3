#pragma once

#include <vector>

#include <jax2onnx/lower/complex/math.hpp>
#include <jax2onnx/ops/control.hpp>

/// Loops of algorithms over operands, which may be complex: several tensors each.
namespace jax2onnx {

/// Loop-carried values.
using carried_values = jax_values;

inline value as_scalar(graph& g, dim n) {
  return n.is_constant() ? scalar(g, dtype::i64, n.extent()) : reshape(dim_value(g, n), {});
}

/// The tensors of the values, one after another.
inline std::vector<value> all_parts(const carried_values& values) {
  std::vector<value> out;
  for (const jax_value& o : values) out.insert(out.end(), o.parts.begin(), o.parts.begin() + o.count);
  return out;
}
/// The other way: operands with as many parts as those of `like`.
inline carried_values operands_of(const std::vector<value>& tensors, const carried_values& like) {
  carried_values out = like;
  std::size_t next = 0;
  for (jax_value& o : out)
    for (std::size_t i = 0; i < o.count; ++i) o.parts[i] = tensors[next++];
  return out;
}

/// What a step of a loop yields: the values of the next one, and whether there is one (absent: the count decides).
struct loop_turn {
  carried_values carried;
  value keep_going;
};

/// Runs `step(index, carried)` for index = 0, 1, … (an int64 scalar), at most `trips` times and while its keep_going holds.
template <class Step>
carried_values repeat_while(graph& g, const value& trips, const carried_values& first, Step&& step) {
  const auto body = [&](const value& iteration, const std::vector<value>& carried) {
    const loop_turn turn = step(iteration, operands_of(carried, first));
    return loop_step{turn.keep_going, all_parts(turn.carried)};
  };
  return operands_of(loop(g, trips, scalar(g, dtype::boolean, 1), all_parts(first), body).carried, first);
}

/// Runs `step(k, carried)` for k = 0 … trips - 1, or (backward) trips - 1 … 0; k is an int64[1].
template <class Step>
carried_values repeat(graph& g, dim trips, const carried_values& first, Step&& step, bool backward = false) {
  const value count = as_scalar(g, trips);
  return repeat_while(g, count, first, [&](const value& i, const carried_values& carried) {
    const value k = backward ? sub(sub(count, 1), i) : i;
    return loop_turn{step(unsqueeze(k, {0}), carried), {}};
  });
}

}  // namespace jax2onnx
