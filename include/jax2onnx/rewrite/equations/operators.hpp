// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include <jax2onnx/graph/operator_name.hpp>
#include <jax2onnx/operators/records/activation.hpp>
#include <jax2onnx/operators/records/attention.hpp>
#include <jax2onnx/operators/records/convolution.hpp>
#include <jax2onnx/operators/records/elementwise.hpp>
#include <jax2onnx/operators/records/indexing.hpp>
#include <jax2onnx/operators/records/linear.hpp>
#include <jax2onnx/operators/records/normalization.hpp>
#include <jax2onnx/operators/records/pooling.hpp>
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/records/reduction.hpp>
#include <jax2onnx/operators/records/shape.hpp>
#include <jax2onnx/operators/traits.hpp>

/// The operators that equations can have.
namespace jax2onnx::rewrite::equations {

namespace detail {

using record_table = std::array<const op_record*, std::size(records::names)>;

/// The newest record of each operator that equations can have, by its number.
constexpr record_table newest_records() {
  record_table out{};
  const auto add = [&](std::span<const op_record> family) {
    for (const op_record& r : family) {
      const int n = r.domain.empty() && !r.outputs.empty() ? jax2onnx::detail::operator_number(r.name) : -1;
      if (n < 0) continue;
      const op_record*& newest = out[static_cast<std::size_t>(n)];
      if (!newest || newest->since < r.since) newest = &r;
    }
  };
  add(records::elementwise_records);
  add(records::activation_records);
  add(records::reduction_records);
  add(records::shape_records);
  add(records::indexing_records);
  add(records::linear_records);
  add(records::convolution_records);
  add(records::pooling_records);
  add(records::normalization_records);
  add(records::attention_records);
  return out;
}
inline constexpr record_table newest = newest_records();

}  // namespace detail

/// The newest record of the operator with this number; null if equations cannot have it.
constexpr const op_record* record_numbered(int op) {
  return op < 0 ? nullptr : detail::newest[static_cast<std::size_t>(op)];
}

/// The number of Cast, whose result has the type that its reader expects.
inline constexpr int cast_number = operator_name("Cast").number();

/// True if the operator with this number has a trait.
constexpr bool has_trait(int op, operators::trait t) {
  return op >= 0 && operators::operators_detail::traits_table[op].traits.has(t);
}

/// The operator that gives the same result for exchanged operands, as Greater does for Less; -1 if there is none.
constexpr int mirrored(int op) {
  constexpr int list[][2] = {{operator_name("Less").number(), operator_name("Greater").number()},
                             {operator_name("LessOrEqual").number(), operator_name("GreaterOrEqual").number()}};
  for (const auto& pair : list)
    if (op == pair[0] || op == pair[1]) return op == pair[0] ? pair[1] : pair[0];
  return -1;
}

}  // namespace jax2onnx::rewrite::equations
