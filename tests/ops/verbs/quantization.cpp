// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/quantization.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding quantization_rebuildings[];
const rebuilding quantization_rebuildings[] = {
    {"", "DequantizeLinear",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::dequantize_linear(
           n.in(0), n.in(1), n.in(2),
           {.axis = n.get<std::int64_t>("axis", 1),
            .block_size = n.get<std::int64_t>("block_size", 0),
            .output_dtype = n.get<jax2onnx::dtype>("output_dtype", jax2onnx::dtype::undefined)})};
     }},
    {"", "DynamicQuantizeLinear",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::dynamic_quantize_linear(n.in(0));
       return {r.y, r.y_scale, r.y_zero_point};
     }},
    {"", "QuantizeLinear",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::quantize_linear(
           n.in(0), n.in(1), n.in(2),
           {.axis = n.get<std::int64_t>("axis", 1),
            .block_size = n.get<std::int64_t>("block_size", 0),
            .output_dtype = n.get<jax2onnx::dtype>("output_dtype", jax2onnx::dtype::undefined),
            .precision = n.get<jax2onnx::dtype>("precision", jax2onnx::dtype::undefined),
            .saturate = n.get<flag>("saturate", true)})};
     }},
    {},
};

}  // namespace jax2onnx
