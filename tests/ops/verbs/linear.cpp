// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/linear.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding linear_rebuildings[];
const rebuilding linear_rebuildings[] = {
    {"", "Det", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::det(n.in(0))}; }},
    {"", "Einsum",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::einsum(n.rest(0), {.equation = n.get<std::string>("equation")})};
     }},
    {"", "Gemm",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::gemm(n.in(0), n.in(1), n.in(2),
                              {.alpha = n.get<float>("alpha", 1.0f),
                               .beta = n.get<float>("beta", 1.0f),
                               .transA = n.get<flag>("transA", false),
                               .transB = n.get<flag>("transB", false)})};
     }},
    {"", "MatMul", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::matmul(n.in(0), n.in(1))}; }},
    {"", "MatMulInteger",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::matmul_integer(n.in(0), n.in(1), n.in(2), n.in(3))};
     }},
    {"", "QLinearMatMul",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::qlinear_matmul(n.in(0), n.in(1), n.in(2), n.in(3), n.in(4), n.in(5), n.in(6), n.in(7))};
     }},
    {},
};

}  // namespace jax2onnx
