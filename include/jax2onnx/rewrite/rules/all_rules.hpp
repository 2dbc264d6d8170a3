// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/binary_search.hpp>
#include <jax2onnx/rewrite/rules/computed_weights.hpp>
#include <jax2onnx/rewrite/rules/constant_folding.hpp>
#include <jax2onnx/rewrite/rules/constant_parts.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>
#include <jax2onnx/rewrite/rules/input_factors.hpp>
#include <jax2onnx/rewrite/rules/joined_parts.hpp>
#include <jax2onnx/rewrite/rules/operators/activations.hpp>
#include <jax2onnx/rewrite/rules/operators/attention.hpp>
#include <jax2onnx/rewrite/rules/operators/blocks_of_pixels.hpp>
#include <jax2onnx/rewrite/rules/operators/bounded_loops.hpp>
#include <jax2onnx/rewrite/rules/operators/convolutions.hpp>
#include <jax2onnx/rewrite/rules/operators/group_norm.hpp>
#include <jax2onnx/rewrite/rules/operators/integer_products.hpp>
#include <jax2onnx/rewrite/rules/operators/lookups.hpp>
#include <jax2onnx/rewrite/rules/operators/normalization.hpp>
#include <jax2onnx/rewrite/rules/operators/online_softmax.hpp>
#include <jax2onnx/rewrite/rules/operators/optimizers.hpp>
#include <jax2onnx/rewrite/rules/operators/padding.hpp>
#include <jax2onnx/rewrite/rules/operators/pooling.hpp>
#include <jax2onnx/rewrite/rules/operators/quantized_products.hpp>
#include <jax2onnx/rewrite/rules/operators/recurrences.hpp>
#include <jax2onnx/rewrite/rules/operators/remainders.hpp>
#include <jax2onnx/rewrite/rules/operators/resize.hpp>
#include <jax2onnx/rewrite/rules/operators/rotary_embedding.hpp>
#include <jax2onnx/rewrite/rules/operators/softmax.hpp>
#include <jax2onnx/rewrite/rules/positions.hpp>
#include <jax2onnx/rewrite/rules/products.hpp>
#include <jax2onnx/rewrite/rules/reductions.hpp>
#include <jax2onnx/rewrite/rules/scans/affine_scans.hpp>
#include <jax2onnx/rewrite/rules/scans/associative_scans.hpp>
#include <jax2onnx/rewrite/rules/scans/carried_values.hpp>
#include <jax2onnx/rewrite/rules/scans/complex_scans.hpp>
#include <jax2onnx/rewrite/rules/scans/delay_lines.hpp>
#include <jax2onnx/rewrite/rules/scans/diagonal_scans.hpp>
#include <jax2onnx/rewrite/rules/scans/filled_arrays.hpp>
#include <jax2onnx/rewrite/rules/scans/joined_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/lanes.hpp>
#include <jax2onnx/rewrite/rules/scans/linear_attention.hpp>
#include <jax2onnx/rewrite/rules/scans/scan_inputs.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/rewrite/rules/scans/state_spaces.hpp>
#include <jax2onnx/rewrite/rules/scans/varying_affine_scans.hpp>
#include <jax2onnx/rewrite/rules/selection.hpp>
#include <jax2onnx/rewrite/rules/set_rows.hpp>
#include <jax2onnx/rewrite/rules/small_updates.hpp>
#include <jax2onnx/rewrite/rules/stacks.hpp>
#include <jax2onnx/rewrite/rules/tidy_algebra.hpp>
#include <jax2onnx/rewrite/rules/unrolled.hpp>
#include <jax2onnx/rewrite/rules/weights.hpp>
#include <jax2onnx/rewrite/views/rows.hpp>

namespace jax2onnx::rewrite::detail {

/// The order in which rules are tried at a node: group after group, and row after row in each of them. A rule comes
/// before other rules that would rewrite a part of its pattern. Among rules with the same pattern, the more specific
/// one comes first.
inline constexpr rule_group rule_order[] = {
    {"constant folding", constant_folding_rules},
    {"parts of constants", constant_part_rules},
    {"algebra", tidy_algebra_rules},
    {"views", view_rules},
    {"indices", index_rules},
    {"positions", position_rules},
    {"stacks", stack_rules},
    {"rows that are overwritten", set_row_rules},
    {"updates of small arrays", small_update_rules},
    {"parts", joined_part_rules},
    {"steps", unrolled_rules},
    {"softmax", softmax_rules},
    {"reductions", reduction_rules},
    {"remainders", remainder_rules},
    {"online softmax", online_softmax_rules},
    {"pooling", pooling_rules},
    {"normalizations", normalization_rules},
    {"group normalization", group_norm_rules},
    {"activations", activation_rules},
    {"resizing", resize_rules},
    {"blocks of pixels", block_rules},
    {"padding", padding_rules},
    {"lookups", lookup_rules},
    {"products", product_rules},
    {"rotary embedding", rotary_embedding_rules},
    {"attention", attention_rules},
    {"weights", weight_rules},
    {"functions of weights", computed_weight_rules},
    {"convolutions", convolution_rules},
    {"factors of inputs", input_factor_rules},
    {"products of integers", integer_product_rules},
    {"quantized weights", quantized_product_rules},
    {"late views", late_view_rules},
    {"selection", selection_rules},
    {"binary search", binary_search_rules},
    {"arrays filled by scans", filled_array_rules},
    {"scans without feedback", lane_rules},
    {"bounded loops", bounded_loop_rules},
    {"recurrences", recurrence_rules},
    {"delay lines", delay_line_rules},
    {"linear attention", linear_attention_rules},
    {"state spaces", state_space_rules},
    {"inputs of scans", scan_input_rules},
    {"scans", scan_rules},
    {"affine scans", affine_scan_rules},
    {"diagonal scans", diagonal_scan_rules},
    {"complex scans", complex_scan_rules},
    {"affine scans of varying matrices", varying_affine_scan_rules},
    {"optimizers", optimizer_rules},
    {"associative scans", associative_scan_rules},
    {"loop-carried values", carried_value_rules},
    {"several steps", joined_step_rules},
};

consteval std::size_t count_rules() {
  std::size_t count = 0;
  for (const rule_group& g : rule_order) count += g.rules.size();
  return count;
}

/// All rules, in the order of `rule_order`.
inline constexpr auto all_rules = [] {
  std::array<rule, count_rules()> all{};
  auto out = all.begin();
  for (const rule_group& g : rule_order) out = std::copy(g.rules.begin(), g.rules.end(), out);
  return all;
}();

}  // namespace jax2onnx::rewrite::detail
