#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/associative_scans.hpp>
#include <jax2onnx/rewrite/rules/binary_search.hpp>
#include <jax2onnx/rewrite/rules/computed_weights.hpp>
#include <jax2onnx/rewrite/rules/constant_folding.hpp>
#include <jax2onnx/rewrite/rules/constant_parts.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>
#include <jax2onnx/rewrite/rules/input_factors.hpp>
#include <jax2onnx/rewrite/rules/operators/activations.hpp>
#include <jax2onnx/rewrite/rules/operators/attention.hpp>
#include <jax2onnx/rewrite/rules/operators/blocks_of_pixels.hpp>
#include <jax2onnx/rewrite/rules/operators/convolutions.hpp>
#include <jax2onnx/rewrite/rules/operators/group_norm.hpp>
#include <jax2onnx/rewrite/rules/operators/integer_products.hpp>
#include <jax2onnx/rewrite/rules/operators/lookups.hpp>
#include <jax2onnx/rewrite/rules/operators/normalization.hpp>
#include <jax2onnx/rewrite/rules/operators/optimizers.hpp>
#include <jax2onnx/rewrite/rules/operators/padding.hpp>
#include <jax2onnx/rewrite/rules/operators/pooling.hpp>
#include <jax2onnx/rewrite/rules/operators/recurrences.hpp>
#include <jax2onnx/rewrite/rules/operators/remainders.hpp>
#include <jax2onnx/rewrite/rules/operators/resize.hpp>
#include <jax2onnx/rewrite/rules/operators/rotary_embedding.hpp>
#include <jax2onnx/rewrite/rules/operators/softmax.hpp>
#include <jax2onnx/rewrite/rules/positions.hpp>
#include <jax2onnx/rewrite/rules/products.hpp>
#include <jax2onnx/rewrite/rules/reductions.hpp>
#include <jax2onnx/rewrite/rules/scans.hpp>
#include <jax2onnx/rewrite/rules/selection.hpp>
#include <jax2onnx/rewrite/rules/stacks.hpp>
#include <jax2onnx/rewrite/rules/tidy_algebra.hpp>
#include <jax2onnx/rewrite/rules/weights.hpp>
#include <jax2onnx/rewrite/views/rows.hpp>

namespace jax2onnx::rewrite::detail {

template <std::size_t... N>
consteval auto make_rules(const rule (&... families)[N]) {
  std::array<rule, (N + ...)> all{};
  auto out = all.begin();
  ((out = std::copy_n(families, N, out)), ...);
  return all;
}

/// Every rule, in the order in which rules are tried at a node.
inline constexpr auto all_rules =
    make_rules(constant_folding_rules, constant_part_rules, tidy_algebra_rules, view_rules, index_rules, position_rules,
               stack_rules, softmax_rules, reduction_rules, remainder_rules, pooling_rules, normalization_rules,
               group_norm_rules, activation_rules, resize_rules, block_rules, padding_rules, lookup_rules,
               product_rules, rotary_embedding_rules, attention_rules, weight_rules, computed_weight_rules,
               convolution_rules, input_factor_rules, integer_product_rules, late_view_rules, selection_rules,
               binary_search_rules, recurrence_rules, scan_rules, optimizer_rules, associative_scan_rules);

}  // namespace jax2onnx::rewrite::detail
