// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The quantization operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of dequantize_linear.
struct dequantize_linear_attributes {
  std::int64_t axis = 1;
  std::int64_t block_size = 0;
  jax2onnx::dtype output_dtype = jax2onnx::dtype::undefined;
};
/// Computes (x - zero point) * scale (DequantizeLinear).
inline value dequantize_linear(const operand& x, const operand& x_scale, const operand& x_zero_point = {},
                               const dequantize_linear_attributes& attributes = {}) {
  node_builder n("DequantizeLinear", {x, x_scale, x_zero_point});
  n.set("axis", attributes.axis, 1);
  n.set("block_size", attributes.block_size, 0);
  n.set("output_dtype", attributes.output_dtype);
  return n.build();
}

/// The results of dynamic_quantize_linear.
struct dynamic_quantize_linear_outputs {
  value y, y_scale, y_zero_point;
};
/// Quantizes a float32 tensor to uint8, with a scale and a zero point that cover its range (DynamicQuantizeLinear).
inline dynamic_quantize_linear_outputs dynamic_quantize_linear(const operand& x) {
  node_builder n("DynamicQuantizeLinear", {x});
  const auto results = n.build(3);
  return {results[0], results[1], results[2]};
}

/// The attributes of quantize_linear.
struct quantize_linear_attributes {
  std::int64_t axis = 1;
  std::int64_t block_size = 0;
  jax2onnx::dtype output_dtype = jax2onnx::dtype::undefined;
  jax2onnx::dtype precision = jax2onnx::dtype::undefined;
  flag saturate = true;
};
/// Computes x / scale + zero point, rounded and limited to the range of the quantized type (QuantizeLinear).
inline value quantize_linear(const operand& x, const operand& y_scale, const operand& y_zero_point = {},
                             const quantize_linear_attributes& attributes = {}) {
  node_builder n("QuantizeLinear", {x, y_scale, y_zero_point});
  n.set("axis", attributes.axis, 1);
  n.set("block_size", attributes.block_size, 0);
  n.set("output_dtype", attributes.output_dtype);
  n.set("precision", attributes.precision);
  n.set("saturate", attributes.saturate, true);
  return n.build();
}

}  // namespace jax2onnx
