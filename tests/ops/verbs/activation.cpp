// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/activation.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding activation_rebuildings[];
const rebuilding activation_rebuildings[] = {
    {"", "Celu",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::celu(n.in(0), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {"", "Elu",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::elu(n.in(0), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {"", "Gelu",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::gelu(n.in(0), {.approximate = n.get<jax2onnx::gelu_approximation>(
                                            "approximate", jax2onnx::gelu_approximation::none)})};
     }},
    {"", "HardSigmoid",
     [](const node_parts& n) -> std::vector<value> {
       return {
           verbatim::hard_sigmoid(n.in(0), {.alpha = n.get<float>("alpha", 0.2f), .beta = n.get<float>("beta", 0.5f)})};
     }},
    {"", "HardSwish", [](const node_parts& n) -> std::vector<value> { return {verbatim::hard_swish(n.in(0))}; }},
    {"", "Hardmax",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::hardmax(n.in(0), {.axis = n.get<std::int64_t>("axis", -1)})};
     }},
    {"", "LeakyRelu",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::leaky_relu(n.in(0), {.alpha = n.get<float>("alpha", 0.01f)})};
     }},
    {"", "LogSoftmax",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::log_softmax(n.in(0), {.axis = n.get<std::int64_t>("axis", -1)})};
     }},
    {"", "Mish", [](const node_parts& n) -> std::vector<value> { return {verbatim::mish(n.in(0))}; }},
    {"", "PRelu", [](const node_parts& n) -> std::vector<value> { return {verbatim::prelu(n.in(0), n.in(1))}; }},
    {"", "Relu", [](const node_parts& n) -> std::vector<value> { return {verbatim::relu(n.in(0))}; }},
    {"", "Selu",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::selu(n.in(0),
                              {.alpha = n.get<float>("alpha", 1.6732632f), .gamma = n.get<float>("gamma", 1.050701f)})};
     }},
    {"", "Shrink",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::shrink(n.in(0), {.bias = n.get<float>("bias", 0.0f), .lambd = n.get<float>("lambd", 0.5f)})};
     }},
    {"", "Sigmoid", [](const node_parts& n) -> std::vector<value> { return {verbatim::sigmoid(n.in(0))}; }},
    {"", "Softmax",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::softmax(n.in(0), {.axis = n.get<std::int64_t>("axis", -1)})};
     }},
    {"", "Softplus", [](const node_parts& n) -> std::vector<value> { return {verbatim::softplus(n.in(0))}; }},
    {"", "Softsign", [](const node_parts& n) -> std::vector<value> { return {verbatim::softsign(n.in(0))}; }},
    {"", "SwiGLU",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::swiglu(n.in(0), n.in(1), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {"", "Swish",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::swish(n.in(0), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {"", "ThresholdedRelu",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::thresholded_relu(n.in(0), {.alpha = n.get<float>("alpha", 1.0f)})};
     }},
    {},
};

}  // namespace jax2onnx
