// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/operators/recurrences.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Binary searches in short arrays, as the jaxprs of jnp.searchsorted, digitize and histogram contain them. The rule
/// keeps the results of the loop, even for an unsorted array.
namespace jax2onnx::rewrite::detail {

/// The largest number of elements of the array. The tests of 8 elements form an index of 8 bits into a table of 256
/// entries.
inline constexpr std::int64_t longest_searched = 8;

/// A Loop with the states low and high. Each step replaces one state by the middle between both states. If `test`
/// holds, the step replaces high if `high_moves` is true, else low. If `test` fails, the step replaces the other state.
struct binary_search {
  value array;    ///< the elements of the array, [n]
  value element;  ///< the element of the array at the middle
  value test;
  bool high_moves = false;
  std::int64_t steps = 0;
};

/// The input of `v` if it is an Expand, else `v`.
inline value without_expand(const value& v) { return producer(v, "Expand") ? input_of(v, 0) : v; }

/// Returns whether `v` is Gather(array, Min(middle, n - 1)) for a vector `array` of n elements, and binds this vector.
/// The Min may be cast, and may have further extents of 1.
inline bool is_element_at(const value& v, const value& middle, value& array) {
  if (!producer(v, "Gather") || axis_of(v) != 0) return false;
  array = input_of(v, 0);
  if (array.rank() != 1 || !array.extent(0).is_constant()) return false;
  const auto last = static_cast<double>(array.extent(0).extent() - 1);
  const auto clamped = [&](const value& i) { return match(i, m_op("Min", m_same(middle), m_number(last))); };
  return match(input_of(v, 1), m_up_to_ones(m_any_of(clamped, m_op("Cast", clamped))));
}

/// Returns whether the body reads the element of an array at the middle. Binds the element and the array.
inline bool find_element(const graph& g, block_id body, const value& middle, binary_search& b) {
  return item_loops::any_of(g.at(body).nodes, [&](node_id n) {
    b.element = value(middle.owner(), g.at(n).outputs[0]);
    return is_element_at(b.element, middle, b.array);
  });
}

/// The binary search that the Loop of `root` performs; nullopt for any other Loop, or if the number of steps is not
/// known.
inline std::optional<binary_search> search_of(const loop_parts& l, const value& root) {
  graph& g = root.owner();
  if (!l.is_loop || l.states.size() != 2 || l.collected != 0) return std::nullopt;
  const block& body = g.at(l.body);
  const value low(g, body.inputs[2]), high(g, body.inputs[3]), next_low(g, body.outputs[1]),
      next_high(g, body.outputs[2]);
  binary_search b;
  value middle;
  const auto half = [&](const value& v) {
    return match(v, m_op("Div", m_op("Sub", m_same(high), m_same(low)), m_number(2)));
  };
  const auto is_middle = [&](const value& v) { return match(v, m_bind(middle, m_commutes("Add", m_same(low), half))); };
  b.high_moves = match(next_low, m_op("Where", m_value(b.test), m_same(low), is_middle));
  if (!b.high_moves && !match(next_low, m_op("Where", m_value(b.test), is_middle, m_same(low)))) return std::nullopt;
  const value& held = b.high_moves ? middle : high;
  const value& failed = b.high_moves ? high : middle;
  if (!match(next_high, m_op("Where", m_same(b.test), m_same(held), m_same(failed)))) return std::nullopt;
  if (!find_element(g, l.body, middle, b)) return std::nullopt;
  const std::int64_t n = b.array.extent(0).extent();
  if (!match(without_expand(l.states[0]), m_number(0)) ||
      !match(without_expand(l.states[1]), m_number(static_cast<double>(n))))
    return std::nullopt;
  const auto steps = iterations_of(l, root);
  if (!steps || !always_continues(l, root)) return std::nullopt;
  b.steps = *steps;
  return b;
}

/// Operators that a test may consist of.
inline constexpr auto test_ops =
    ops<"And", "Equal", "Greater", "GreaterOrEqual", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Xor">;

/// Computes `v` for all elements of the array, along a new first axis. Returns a constant or a value from outside the
/// body unchanged. Absent if `v` needs an operator that is not in `test_ops`, or if the operators are nested too
/// deeply. Skips Reshapes if the test is a scalar.
inline value for_all_elements(const value& v, const binary_search& b, block_id body, int depth = 0) {
  graph& g = v.owner();
  if (same_value(v, b.element)) {
    shape column(static_cast<std::size_t>(b.test.rank()) + 1, 1);
    column[0] = b.array.extent(0);
    return reshape(b.array, column);
  }
  if (v.is_constant() || g.at(v.id()).home != body) return v;
  if (!producer(v) || depth == 5) return {};
  if (is_reshape(v) && b.test.rank() == 0) return for_all_elements(input_of(v, 0), b, body, depth + 1);
  if (!item_loops::contains(test_ops, producer(v)->op) || !producer(v, producer(v)->op)) return {};
  std::vector<value> inputs = inputs_of(v);
  shape dims;
  for (value& x : inputs) {
    x = for_all_elements(x, b, body, depth + 1);
    if (!x) return {};
    const auto both = infer::broadcast(dims, x.dims());
    if (!both.ok()) return {};
    dims = both.dims;
  }
  return with_inputs(v, inputs, {v.dtype(), dims});
}

/// The final states low and high of the search if bit i of `code` is the result of the test of element i.
inline std::array<std::int64_t, 2> searched(const binary_search& b, std::uint64_t code) {
  const std::int64_t n = b.array.extent(0).extent();
  std::array<std::int64_t, 2> ends = {0, n};
  for (std::int64_t step = 0; step < b.steps; ++step) {
    const std::int64_t middle = ends[0] + (ends[1] - ends[0]) / 2;
    const bool holds = (code >> std::min(middle, n - 1) & 1) != 0;
    ends[holds == b.high_moves ? 1 : 0] = middle;
  }
  return ends;
}

/// Packs the truth values along the first axis into the bits of an integer.
inline value packed(const value& bits) {
  graph& g = bits.owner();
  ints column(bits.dims().size(), 1), powers;
  column[0] = bits.extent(0).extent();
  for (std::int64_t i = 0; i < bits.extent(0).extent(); ++i) powers.push_back(std::int64_t{1} << i);
  const value weights = array<std::int64_t>(g, dtype::i32, column, powers);
  return reduce("ReduceSum", where(bits, weights, scalar(g, dtype::i32, 0)), {0}, false);
}

inline outcome search_by_table(const context& c, const value& root) {
  const auto l = loop_of(root);
  const auto b = l ? search_of(*l, root) : std::nullopt;
  if (!b) return {};
  const std::int64_t n = b->array.extent(0).extent();
  if (n > longest_searched) return decline("the array has more than 8 elements");
  const value tests = for_all_elements(b->test, *b, l->body);
  if (!tests || std::ssize(tests.dims()) != b->test.rank() + 1 || !tests.extent(0).is(n))
    return decline("the test is not elementwise");
  const value code = packed(tests);
  std::array<std::vector<std::int64_t>, 2> tables;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << n; ++i)
    for (std::size_t k : {0u, 1u}) tables[k].push_back(searched(*b, i)[k]);
  outcome o;
  for (std::size_t k : {0u, 1u}) {
    const value table = array<std::int64_t>(c.g, l->states[k].dtype(), {std::ssize(tables[k])}, tables[k]);
    o.all.push_back(c.g.emit("Gather", {table, code}, {table.dtype(), code.dims()}, {{"axis", std::int64_t{0}}}));
  }
  return o;
}

inline constexpr rule binary_search_rules[] = {
    {"search-table", "Loop(middle = low + (high - low) / 2, low or high = middle) -> Gather(table, bits of the tests)",
     "a known number of steps; at most 8 elements; the test consists of And, Or, Xor, Not, comparisons and IsNaN",
     ops<"Loop">, search_by_table, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
