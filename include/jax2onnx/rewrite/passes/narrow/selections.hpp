// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/engine/use_counts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/corrections.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Selections from two arrays for ONNX Runtime. Its Where branches for each element, and takes up to 20 nanoseconds for
/// each if the condition is irregular (docs/decisions/0109-selections-are-lookups.md).
namespace jax2onnx::rewrite::detail {

/// Returns whether the condition compares floating-point numbers by size. Such conditions are seldom regular, unlike
/// conditions on positions. They are seldom the same for nearly all elements, unlike conditions that exclude a number.
inline bool compares_sizes(const value& c) {
  static constexpr auto orders = ops<"Greater", "GreaterOrEqual", "Less", "LessOrEqual">;
  const node* n = producer(c);
  return n && item_loops::contains(orders, n->op) && is_floating(input_of(c, 0).dtype());
}

/// Where(c, x, y) -> GatherElements([y, x], c) for many elements. Absent if an operand is broadcast, except that x or y
/// may be one number if the condition compares sizes.
inline value selection_by_lookup(const value& v) {
  constexpr std::uint64_t fewest = 4096, fewest_beside_number = 8192, most = std::uint64_t{1} << 22;
  constexpr std::array types{dtype::f32, dtype::f64, dtype::i32, dtype::i64};
  const value c = input_of(v, 0), x = input_of(v, 1), y = input_of(v, 2);
  if (!is_static(v.dims()) || c.is_constant() || std::ranges::find(types, v.dtype()) == types.end()) return {};
  const auto has_all = [&](const value& operand) { return operand.dims() == v.dims(); };
  const auto is_number = [](const value& operand) { return item_loops::all_equal(operand.dims(), dim(1)); };
  const bool beside_number = (is_number(x) && has_all(y)) || (has_all(x) && is_number(y));
  if (!has_all(c) || !(beside_number ? compares_sizes(c) : has_all(x) && has_all(y))) return {};
  const std::uint64_t count = element_count(v.type());
  if (count < (beside_number ? fewest_beside_number : fewest) || count > most) return {};
  const shape row{1, static_cast<std::int64_t>(count)};
  const auto as_row = [&](const value& operand) {
    return has_all(operand) ? reshape(operand, row) : broadcast_to(reshape(operand, {1, 1}), row);
  };
  const value otherwise = as_row(y), chosen = as_row(x);
  const value place = cast(reshape(c, row), dtype::i32);
  return reshape(gather_elements(concat({otherwise, chosen}, 0), place, 0), v.dims());
}

inline constexpr correction faster_selections[] = {{"Where", selection_by_lookup}};

/// Turns large selections into lookups, for ONNX Runtime on CPUs. Linear in the graph.
inline void speed_selections(graph& g, const target& t) {
  if (t.runtime == runtime::ort || t.runtime == runtime::ort_contrib) apply_corrections(g, faster_selections);
}

}  // namespace jax2onnx::rewrite::detail
