// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/lower/linear/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>

/// Lowers products of small floats that have one scale for each block of the contracted dimensions (MX formats):
/// multiplies both operands by their scales and contracts the results. Sources: jax.lax.scaled_dot and
/// jax.nn.scaled_matmul, as computed by JAX on a CPU.
namespace jax2onnx::lower {

/// The dimension numbers of scaled_matmul: [B, M, K] times [B, N, K].
inline const dot_numbers& matmul_numbers() {
  static const dot_numbers numbers{{{2}, {2}}, {{0}, {0}}};
  return numbers;
}

/// Checks the scales of operand `side`, which are operand `2 + side`. The scales must have the extents of operand
/// `side`, except along the contracted dimensions. Along contracted dimensions, there is one scale for each block.
inline void check_scale(const site& s, std::size_t side, const ints& contracted) {
  const std::size_t scale = 2 + side;
  require_kind(s, scale, kinds::floating);
  const shape &x = s.in_type(side).dims, &blocks = s.in_type(scale).dims;
  if (x.size() != blocks.size()) s.malformed(detail::message("operands {} and {} differ in rank", side, scale));
  const ints kept = complement(std::ssize(x), contracted);
  require_equal_extents(s, side, kept, scale, kept);
  for (std::int64_t axis : contracted) {
    const auto at = static_cast<std::size_t>(axis);
    const dim n = x.at(at), count = blocks.at(at);
    if (n == count) continue;
    if (!n.is_constant() || !count.is_constant() || count.is(0) || n.extent() % count.extent() != 0)
      s.malformed(detail::message("the scales of operand {} do not divide its axis {} into equal blocks", side, axis));
  }
}

inline std::vector<aval> scaled_types(const site& s, const dot_numbers& d, std::string_view otherwise) {
  for (std::size_t i : {0u, 1u}) require_kind(s, i, kinds::floating);
  const shape &lhs = s.in_type(0).dims, &rhs = s.in_type(1).dims;
  check_dot_numbers(s, d, lhs, rhs);
  for (std::size_t side : {0u, 1u}) check_scale(s, side, d[0][side]);
  return {{s.param_or<element>("preferred_element_type", element_named(otherwise)), dot_shape(d, lhs, rhs)}};
}
inline std::vector<aval> scaled_dot_types(const site& s) {
  return scaled_types(s, s.param<dot_numbers>("dimension_numbers"), "bf16");
}
inline std::vector<aval> scaled_matmul_types(const site& s) { return scaled_types(s, matmul_numbers(), "f32"); }

/// Operand `side` times its scales, computed in type `t`.
inline value scaled_operand(const site& s, std::size_t side, dtype t) {
  const value x = convert_element_type(s.in(side), t), scale = convert_element_type(s.in(2 + side), t);
  shape blocks, scales;  // extents of x and scale; each divided dimension is split in two
  for (std::int64_t axis = 0; axis < x.rank(); ++axis) {
    const dim n = x.extent(axis), count = scale.extent(axis);
    blocks.push_back(count);
    scales.push_back(count);
    if (n == count) continue;
    blocks.push_back(n.extent() / count.extent());
    scales.push_back(1);
  }
  if (blocks.size() == x.dims().size()) return mul(x, scale);
  return reshape(mul(reshape(x, blocks), reshape(scale, scales)), x.dims());
}

/// The product of operands that are scaled in type `t`.
inline jax_values scaled_product(const site& s, const dot_numbers& d, dtype t) {
  const dtype wide = accumulation_dtype(t, s.out_dtype());
  const auto operand = [&](std::size_t side) { return cast(scaled_operand(s, side, t), wide); };
  return {convert_element_type(dot(operand(0), operand(1), dot_axes(d)), s.out_dtype())};
}

inline jax_values scaled_dot(const site& s) {
  return scaled_product(s, s.param<dot_numbers>("dimension_numbers"), dtype::bf16);
}
inline jax_values scaled_matmul(const site& s) { return scaled_product(s, matmul_numbers(), s.out_dtype()); }

inline constexpr signature scaled_dot_signature{
    4,
    1,
    scaled_dot_types,
    {{"dimension_numbers", param_form::list, "((lhs, rhs) contracted, (lhs, rhs) batch)"},
     {"preferred_element_type", param_form::element}}};
inline constexpr signature scaled_matmul_signature{
    4, 1, scaled_matmul_types, {{"preferred_element_type", param_form::element}}};

inline constexpr lowering scaled_dot_rows[] = {
    {"scaled_dot", scaled_dot, "Cast, Mul, MatMul", scaled_dot_signature, parts_rule::own,
     ignores{"preferred_element_type"}},
    {"scaled_matmul_wrapper", scaled_matmul, "Cast, Mul, MatMul", scaled_matmul_signature, parts_rule::own,
     ignores{"preferred_element_type"}},
};

}  // namespace jax2onnx::lower
