#pragma once

#include <vector>

#include <jax2onnx/lower/complex/math.hpp>

/// ONNX's Loop as an algorithm needs it: a step is C++ that builds the body.
namespace jax2onnx {

/// What goes round a loop.
using carried_values = std::vector<operand>;

inline value as_scalar(graph& g, dim n) {
  return n.is_constant() ? scalar(g, dtype::i64, n.extent()) : reshape(dim_value(g, n), {});
}

/// Inputs of the current block of the types of `values`.
inline carried_values block_inputs(graph& g, const carried_values& values) {
  carried_values out = values;
  for (operand& o : out)
    for (std::size_t i = 0; i < o.count; ++i) o.parts[i] = g.input(o.parts[i].type(), "carried");
  return out;
}
inline void append_parts(std::vector<value>& to, const carried_values& values) {
  for (const operand& o : values) to.insert(to.end(), o.parts.begin(), o.parts.begin() + o.count);
}

/// A step of a loop: the values of the next one, and whether there is one (absent: the count decides).
struct loop_turn {
  carried_values carried;
  value keep_going;
};

/// Runs `step(index, carried)` for index = 0, 1, … (int64[1]), at most `trips` times and while its keep_going holds.
template <class Step>
carried_values repeat_while(graph& g, const value& trips, const carried_values& first, Step&& step) {
  std::vector<value> inputs{trips, scalar(g, dtype::boolean, 1)}, outputs;
  append_parts(inputs, first);
  std::vector<tensor_type> types;
  for (std::size_t i = 2; i < inputs.size(); ++i) types.push_back(inputs[i].type());
  const block_scope body(g);
  const value iteration = g.input({dtype::i64, {}}, "iteration"), going = g.input({dtype::boolean, {}}, "going");
  const loop_turn turn = step(iteration, block_inputs(g, first));
  outputs.push_back(turn.keep_going ? turn.keep_going : going);
  append_parts(outputs, turn.carried);
  g.set_outputs(body.id(), outputs);
  const insertion_scope outside(g, g.at(body.id()).parent);
  const std::vector<value> last = g.emit_many("Loop", inputs, types, {{"body", body.id()}});
  carried_values out = first;
  std::size_t next = 0;
  for (operand& o : out)
    for (std::size_t i = 0; i < o.count; ++i) o.parts[i] = last[next++];
  return out;
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
