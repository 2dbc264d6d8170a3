// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/activation.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding activation_rebuildings[];
const rebuilding activation_rebuildings[] = {
    {"", "Celu",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::celu(n.in(0), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {"", "Elu",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::elu(n.in(0), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {"", "Gelu",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::gelu(n.in(0), {.approximate = n.get<jax2onnx::gelu_approximation>(
                                            "approximate", jax2onnx::gelu_approximation::none)})};
     }},
    {"", "HardSigmoid",
     [](const node_parts& n) -> std::vector<value> {
       return {
           jax2onnx::hard_sigmoid(n.in(0), {.alpha = n.get<float>("alpha", 0.2f), .beta = n.get<float>("beta", 0.5f)})};
     }},
    {"", "HardSwish", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::hard_swish(n.in(0))}; }},
    {"", "Hardmax",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::hardmax(n.in(0), {.axis = n.get<std::int64_t>("axis", -1)})};
     }},
    {"", "LeakyRelu",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::leaky_relu(n.in(0), {.alpha = n.get<float>("alpha", 0.01f)})};
     }},
    {"", "LogSoftmax",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::log_softmax(n.in(0), {.axis = n.get<std::int64_t>("axis", -1)})};
     }},
    {"", "Mish", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::mish(n.in(0))}; }},
    {"", "PRelu", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::prelu(n.in(0), n.in(1))}; }},
    {"", "Relu", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::relu(n.in(0))}; }},
    {"", "Selu",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::selu(n.in(0),
                              {.alpha = n.get<float>("alpha", 1.6732632f), .gamma = n.get<float>("gamma", 1.050701f)})};
     }},
    {"", "Shrink",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::shrink(n.in(0), {.bias = n.get<float>("bias", 0.0f), .lambd = n.get<float>("lambd", 0.5f)})};
     }},
    {"", "Sigmoid", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sigmoid(n.in(0))}; }},
    {"", "Softmax",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::softmax(n.in(0), {.axis = n.get<std::int64_t>("axis", -1)})};
     }},
    {"", "Softplus", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::softplus(n.in(0))}; }},
    {"", "Softsign", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::softsign(n.in(0))}; }},
    {"", "SwiGLU",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::swiglu(n.in(0), n.in(1), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {"", "Swish",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::swish(n.in(0), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {"", "ThresholdedRelu",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::thresholded_relu(n.in(0), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {},
};

}  // namespace jax2onnx
