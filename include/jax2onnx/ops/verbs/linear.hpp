// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The linear operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// Computes the determinant of a square matrix, or of each matrix of a batch (Det).
inline value det(const operand& x) {
  node_builder n("Det", {x});
  return n.build();
}

/// The attributes of einsum.
struct einsum_attributes {
  required<std::string, struct einsum_needs_equation> equation;
};
/// Computes the Einstein summation: output[output-term] = reduce-sum(input1[term1] * input2[term2] * ...) over the
/// indices that the output's term lacks (Einsum).
inline value einsum(const operands& inputs, const einsum_attributes& attributes = {}) {
  node_builder n("Einsum", {});
  n.add(inputs);
  n.set("equation", attributes.equation);
  return n.build();
}

/// The attributes of gemm.
struct gemm_attributes {
  float alpha = 1.0f;
  float beta = 1.0f;
  flag transA = false;
  flag transB = false;
};
/// Computes alpha * A * B + beta * C for matrices; A and B may be transposed (Gemm).
inline value gemm(const operand& a, const operand& b, const operand& c = {}, const gemm_attributes& attributes = {}) {
  node_builder n("Gemm", {a, b, c});
  n.set("alpha", attributes.alpha, 1.0f);
  n.set("beta", attributes.beta, 1.0f);
  n.set("transA", attributes.transA, false);
  n.set("transB", attributes.transB, false);
  return n.build();
}

/// Multiplies matrices as numpy.matmul does (MatMul).
inline value matmul(const operand& a, const operand& b) {
  node_builder n("MatMul", {a, b});
  return n.build();
}

/// Multiplies integer matrices as numpy.matmul does, minus their zero points; the result is int32 (MatMulInteger).
inline value matmul_integer(const operand& a, const operand& b, const operand& a_zero_point = {},
                            const operand& b_zero_point = {}) {
  node_builder n("MatMulInteger", {a, b, a_zero_point, b_zero_point});
  return n.build();
}

/// Multiplies quantized matrices as numpy.matmul does, and quantizes the result (QLinearMatMul).
inline value qlinear_matmul(const operand& a, const operand& a_scale, const operand& a_zero_point, const operand& b,
                            const operand& b_scale, const operand& b_zero_point, const operand& y_scale,
                            const operand& y_zero_point) {
  node_builder n("QLinearMatMul", {a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point});
  return n.build();
}

}  // namespace jax2onnx
