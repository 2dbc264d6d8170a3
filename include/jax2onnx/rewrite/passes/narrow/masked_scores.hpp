// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/engine/use_counts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/corrections.hpp>
#include <jax2onnx/rewrite/rules/operators/logit_masks.hpp>
#include <jax2onnx/rewrite/rules/positions.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Softmax of masked scores for ONNX Runtime (docs/decisions/0110-masked-scores.md). The exponentials of masked scores
/// are subnormal numbers, for which many processors take a hundred times as long as for other numbers. ONNX Runtime's
/// Where takes three times as long as its Trilu.
namespace jax2onnx::rewrite::detail {

/// The keys that a causal mask shows to a query: the keys up to the query's position plus `diagonal`. If `upper`, the
/// keys from that position on.
struct triangle {
  bool upper;
  std::int64_t diagonal;
  /// The keys that this triangle hides.
  triangle complement() const { return {!upper, upper ? diagonal - 1 : diagonal + 1}; }
};

/// `n` if it is so small that differences of positions do not overflow; nullopt for a larger number.
inline std::optional<std::int64_t> as_position(std::optional<std::int64_t> n) {
  constexpr std::int64_t most = std::int64_t{1} << 29;
  return n && -most <= *n && *n <= most ? n : std::nullopt;
}

/// The first number of a vector that counts up along axis rank - `from_back`; nullopt for any other value.
inline std::optional<std::int64_t> counts_along(const value& v, std::int64_t from_back) {
  const bool has_axis = v.rank() >= from_back && is_vector(v) && !v.extent(v.rank() - from_back).is(1);
  return has_axis ? as_position(counts_from(v)) : std::nullopt;
}

/// a op b + shift for positions a and b: a comparison of a and b, or a comparison of a - b and the number `shift`.
struct position_comparison {
  operator_name op;
  value a, b;
  std::int64_t shift = 0;
};
inline std::optional<position_comparison> position_comparison_of(const value& mask) {
  const bool is_moved = is_reshape(mask) && moves_only_ones(input_of(mask, 0).dims(), mask.dims());
  const value table = is_moved ? input_of(mask, 0) : mask;
  const node* n = producer(table);
  if (!n || n->inputs.size() != 2 || !is_integer(input_of(table, 0).dtype())) return std::nullopt;
  const value left = input_of(table, 0), right = input_of(table, 1);
  const bool subtracts = producer(left, "Sub") && (left.dtype() == dtype::i32 || left.dtype() == dtype::i64);
  const auto shift = subtracts ? as_position(uniform_integer(right)) : std::nullopt;  // other types may wrap
  if (shift) return position_comparison{n->op, input_of(left, 0), input_of(left, 1), *shift};
  return position_comparison{n->op, left, right};
}

/// The triangle that `mask` shows, if it compares the positions of queries and keys and has further axes only with
/// extent 1; nullopt for any other value.
inline std::optional<triangle> triangle_of(const value& mask) {
  struct order {
    operator_name op;
    bool upper;
    std::int64_t shift;
  };
  static constexpr order orders[] = {
      {"GreaterOrEqual", false, 0}, {"Greater", false, -1}, {"LessOrEqual", true, 0}, {"Less", true, 1}};
  const std::optional<position_comparison> c = position_comparison_of(mask);
  const order* const row = c ? std::ranges::find(orders, c->op, &order::op) : std::end(orders);
  if (row == std::end(orders)) return std::nullopt;
  if (const auto query = counts_along(c->a, 2), key = counts_along(c->b, 1); query && key)
    return triangle{row->upper, *query - *key - c->shift + row->shift};
  if (const auto key = counts_along(c->a, 1), query = counts_along(c->b, 2); query && key)
    return triangle{!row->upper, *query - *key + c->shift - row->shift};
  return std::nullopt;
}

/// Where(causal, x, n) -> Trilu(x) + Where(causal, 0, n) if x has axes other than the axes of queries and keys; absent
/// for any other value. Neither form passes on NaN of masked keys; the sum turns -0 into 0.
inline value masked_by_triangle(const value& v) {
  if (!producer(v, "Where")) return {};
  const value mask = input_of(v, 0);
  const bool hides = uniform_number(input_of(v, 1)).has_value();
  const value x = input_of(v, hides ? 2 : 1), number = input_of(v, hides ? 1 : 2);
  const auto found = triangle_of(mask);
  if (!found || !uniform_number(number) || x.rank() < 3 || x.dims() != v.dims()) return {};
  const shape tail = mask.dims().tail(mask.rank() - 2);
  if (without_ones(mask.dims()) != tail || x.dims().tail(x.rank() - 2) != tail) return {};
  const triangle shown = hides ? found->complement() : *found;
  const value zero = scalar(v.owner(), v.dtype(), 0), diagonal = scalar(v.owner(), dtype::i64, shown.diagonal);
  const value kept =
      v.owner().emit("Trilu", {x, diagonal}, v.type(), {{"upper", static_cast<std::int64_t>(shown.upper)}});
  return add(kept, hides ? where(mask, number, zero) : where(mask, zero, number));
}

/// Softmax(x) -> HardSigmoid(Softmax(Clip(x - ReduceMax(x), -80, 0))) for many masked scores x, in float32. The
/// exponential of -80 is not subnormal, and neither is its quotient by the sum of a thousand weights. The HardSigmoid
/// subtracts 2e-35 and replaces negative numbers by 0: the weights of masked keys become 0 again, and NaN stays NaN.
inline value softmax_without_subnormals(const value& v) {
  constexpr double lowest = -80;
  constexpr float above_lowest = 2e-35f;  // e^-80 is 1.8e-35
  const value scores = input_of(v, 0);
  if (v.dtype() != dtype::f32 || !are_many_scores(v.dims()) || !hides_keys(scores)) return {};
  const value by_triangle = masked_by_triangle(scores);
  const value x = by_triangle ? by_triangle : scores;
  const value greatest = reduce("ReduceMax", x, {axis_of(v)}, true);
  const value low = scalar(v.owner(), dtype::f32, lowest), high = scalar(v.owner(), dtype::f32, 0);
  const value weights = with_first_input(v, clip(sub(x, greatest), low, high), v.type());
  return v.owner().emit("HardSigmoid", {weights}, v.type(), {{"alpha", 1.0f}, {"beta", -above_lowest}});
}

/// False for the result of each Softmax that only a product reads, directly or through views; true for any other value.
inline std::vector<bool> all_but_weights_of_products(graph& g) {
  use_counts uses;
  uses.count(g);
  std::vector<bool> others(g.value_count(), true);
  for (std::size_t b = 0; b < g.block_count(); ++b)
    for (const node_id n : g.at(static_cast<block_id>(b)).nodes) {
      if (!producer(value(g, g.at(n).outputs[0]), "MatMul")) continue;
      for (const value_id operand : g.at(n).inputs) {
        value v(g, operand);
        while (is_view(v) && uses.of(v) == 1) v = input_of(v, 0);
        if (producer(v, "Softmax") && uses.of(v) == 1) others[static_cast<std::size_t>(v.id())] = false;
      }
    }
  return others;
}

inline constexpr correction faster_softmax[] = {{"Softmax", softmax_without_subnormals}};

/// Keeps the exponentials of masked scores from being subnormal if only products read the weights, for ONNX Runtime on
/// CPUs. Linear in the graph.
inline void speed_masked_softmax(graph& g, const target& t) {
  if (avoids_subnormals(t)) apply_corrections(g, faster_softmax, all_but_weights_of_products(g));
}

}  // namespace jax2onnx::rewrite::detail
