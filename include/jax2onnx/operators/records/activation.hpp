// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/activation.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// Celu
inline constexpr formal celu_inputs[] = {{"X", 0}};
inline constexpr formal celu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint celu_types[] = {{"T", {.tensors = types({f32})}}};
inline constexpr formal_attribute celu_attributes[] = {{"alpha", real, defaulted, {.real = 1.0}}};
inline constexpr type_constraint celu_types_28[] = {{"T", {.tensors = floats | types({bf16})}}};
// Elu
inline constexpr formal elu_inputs[] = {{"X", 0}};
inline constexpr formal elu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint elu_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute elu_attributes[] = {{"alpha", real, defaulted, {.real = 1.0}}};
inline constexpr type_constraint elu_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Gelu
inline constexpr formal gelu_inputs[] = {{"X", 0}};
inline constexpr formal gelu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint gelu_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute gelu_attributes[] = {{"approximate", text, defaulted, {.text = "none"}}};
// HardSigmoid
inline constexpr formal hard_sigmoid_inputs[] = {{"X", 0}};
inline constexpr formal hard_sigmoid_outputs[] = {{"Y", 0}};
inline constexpr type_constraint hard_sigmoid_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute hard_sigmoid_attributes[] = {{"alpha", real, defaulted, {.real = 0.2}},
                                                               {"beta", real, defaulted, {.real = 0.5}}};
inline constexpr type_constraint hard_sigmoid_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// HardSwish
inline constexpr formal hard_swish_inputs[] = {{"X", 0}};
inline constexpr formal hard_swish_outputs[] = {{"Y", 0}};
inline constexpr type_constraint hard_swish_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint hard_swish_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Hardmax
inline constexpr formal hardmax_inputs[] = {{"input", 0}};
inline constexpr formal hardmax_outputs[] = {{"output", 0}};
inline constexpr type_constraint hardmax_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute hardmax_attributes[] = {{"axis", integer, defaulted, {.integer = -1}}};
// LeakyRelu
inline constexpr formal leaky_relu_inputs[] = {{"X", 0}};
inline constexpr formal leaky_relu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint leaky_relu_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute leaky_relu_attributes[] = {{"alpha", real, defaulted, {.real = 0.01}}};
// LogSoftmax
inline constexpr formal log_softmax_inputs[] = {{"input", 0}};
inline constexpr formal log_softmax_outputs[] = {{"output", 0}};
inline constexpr type_constraint log_softmax_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute log_softmax_attributes[] = {{"axis", integer, defaulted, {.integer = -1}}};
// Mish
inline constexpr formal mish_inputs[] = {{"X", 0}};
inline constexpr formal mish_outputs[] = {{"Y", 0}};
inline constexpr type_constraint mish_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint mish_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// PRelu
inline constexpr formal prelu_inputs[] = {{"X", 0}, {"slope", 0}};
inline constexpr formal prelu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint prelu_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
// Relu
inline constexpr formal relu_inputs[] = {{"X", 0}};
inline constexpr formal relu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint relu_types[] = {{"T", {.tensors = floats | signed_integers | types({bf16})}}};
// Selu
inline constexpr formal selu_inputs[] = {{"X", 0}};
inline constexpr formal selu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint selu_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute selu_attributes[] = {{"alpha", real, defaulted, {.real = 1.6732632}},
                                                       {"gamma", real, defaulted, {.real = 1.050701}}};
inline constexpr type_constraint selu_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Shrink
inline constexpr formal shrink_inputs[] = {{"input", 0}};
inline constexpr formal shrink_outputs[] = {{"output", 0}};
inline constexpr type_constraint shrink_types[] = {{"T", {.tensors = numbers}}};
inline constexpr formal_attribute shrink_attributes[] = {{"bias", real, defaulted},
                                                         {"lambd", real, defaulted, {.real = 0.5}}};
// Sigmoid
inline constexpr formal sigmoid_inputs[] = {{"X", 0}};
inline constexpr formal sigmoid_outputs[] = {{"Y", 0}};
inline constexpr type_constraint sigmoid_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Softmax
inline constexpr formal softmax_inputs[] = {{"input", 0}};
inline constexpr formal softmax_outputs[] = {{"output", 0}};
inline constexpr type_constraint softmax_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute softmax_attributes[] = {{"axis", integer, defaulted, {.integer = -1}}};
// Softplus
inline constexpr formal softplus_inputs[] = {{"X", 0}};
inline constexpr formal softplus_outputs[] = {{"Y", 0}};
inline constexpr type_constraint softplus_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint softplus_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Softsign
inline constexpr formal softsign_inputs[] = {{"input", 0}};
inline constexpr formal softsign_outputs[] = {{"output", 0}};
inline constexpr type_constraint softsign_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint softsign_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// SwiGLU
inline constexpr formal swiglu_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal swiglu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint swiglu_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute swiglu_attributes[] = {{"alpha", real, defaulted, {.real = 1.0}}};
// Swish
inline constexpr formal swish_inputs[] = {{"X", 0}};
inline constexpr formal swish_outputs[] = {{"Y", 0}};
inline constexpr type_constraint swish_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute swish_attributes[] = {{"alpha", real, defaulted, {.real = 1.0}}};
// ThresholdedRelu
inline constexpr formal thresholded_relu_inputs[] = {{"X", 0}};
inline constexpr formal thresholded_relu_outputs[] = {{"Y", 0}};
inline constexpr type_constraint thresholded_relu_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute thresholded_relu_attributes[] = {{"alpha", real, defaulted, {.real = 1.0}}};
inline constexpr type_constraint thresholded_relu_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};

inline constexpr op_record activation_records[] = {
    {"Celu",
     "",
     12,
     celu_inputs,
     celu_outputs,
     celu_types,
     celu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) for each element"},
    {"Celu",
     "",
     28,
     celu_inputs,
     celu_outputs,
     celu_types_28,
     celu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) for each element"},
    {"Elu",
     "",
     6,
     elu_inputs,
     elu_outputs,
     elu_types,
     elu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes x for x >= 0, else alpha * (exp(x) - 1), for each element"},
    {"Elu",
     "",
     22,
     elu_inputs,
     elu_outputs,
     elu_types_22,
     elu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes x for x >= 0, else alpha * (exp(x) - 1), for each element"},
    {"Gelu",
     "",
     20,
     gelu_inputs,
     gelu_outputs,
     gelu_types,
     gelu_attributes,
     1,
     1,
     {rules::gelu, true},
     "Computes x * (1 + erf(x / sqrt(2))) / 2, or its approximation by tanh, for each element"},
    {"HardSigmoid",
     "",
     6,
     hard_sigmoid_inputs,
     hard_sigmoid_outputs,
     hard_sigmoid_types,
     hard_sigmoid_attributes,
     1,
     1,
     {rules::same, true},
     "Computes max(0, min(1, alpha * x + beta)) for each element"},
    {"HardSigmoid",
     "",
     22,
     hard_sigmoid_inputs,
     hard_sigmoid_outputs,
     hard_sigmoid_types_22,
     hard_sigmoid_attributes,
     1,
     1,
     {rules::same, true},
     "Computes max(0, min(1, alpha * x + beta)) for each element"},
    {"HardSwish",
     "",
     14,
     hard_swish_inputs,
     hard_swish_outputs,
     hard_swish_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes x * max(0, min(1, x / 6 + 0.5)) for each element"},
    {"HardSwish",
     "",
     22,
     hard_swish_inputs,
     hard_swish_outputs,
     hard_swish_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes x * max(0, min(1, x / 6 + 0.5)) for each element"},
    {"Hardmax",
     "",
     13,
     hardmax_inputs,
     hardmax_outputs,
     hardmax_types,
     hardmax_attributes,
     1,
     1,
     {rules::along_axis},
     "Returns 1 for the first largest element along an axis, and 0 for all others"},
    {"LeakyRelu",
     "",
     16,
     leaky_relu_inputs,
     leaky_relu_outputs,
     leaky_relu_types,
     leaky_relu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes x for x >= 0, else alpha * x, for each element"},
    {"LogSoftmax",
     "",
     13,
     log_softmax_inputs,
     log_softmax_outputs,
     log_softmax_types,
     log_softmax_attributes,
     1,
     1,
     {rules::along_axis},
     "Computes the logarithm of the softmax along an axis"},
    {"Mish",
     "",
     18,
     mish_inputs,
     mish_outputs,
     mish_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes x * tanh(softplus(x)) for each element"},
    {"Mish",
     "",
     22,
     mish_inputs,
     mish_outputs,
     mish_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes x * tanh(softplus(x)) for each element"},
    {"PRelu",
     "",
     16,
     prelu_inputs,
     prelu_outputs,
     prelu_types,
     {},
     2,
     1,
     {rules::prelu},
     "Computes x for x >= 0, else slope * x, for each element; the slopes broadcast to x"},
    {"Relu",
     "",
     14,
     relu_inputs,
     relu_outputs,
     relu_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes max(0, x) for each element"},
    {"Selu",
     "",
     6,
     selu_inputs,
     selu_outputs,
     selu_types,
     selu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes gamma * x for x > 0, else gamma * (alpha * exp(x) - alpha), for each element"},
    {"Selu",
     "",
     22,
     selu_inputs,
     selu_outputs,
     selu_types_22,
     selu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes gamma * x for x > 0, else gamma * (alpha * exp(x) - alpha), for each element"},
    {"Shrink",
     "",
     9,
     shrink_inputs,
     shrink_outputs,
     shrink_types,
     shrink_attributes,
     1,
     1,
     {rules::same, true},
     "Computes x + bias for x < -lambd, x - bias for x > lambd, else 0, for each element"},
    {"Sigmoid",
     "",
     13,
     sigmoid_inputs,
     sigmoid_outputs,
     sigmoid_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes 1 / (1 + exp(-x)) for each element"},
    {"Softmax",
     "",
     13,
     softmax_inputs,
     softmax_outputs,
     softmax_types,
     softmax_attributes,
     1,
     1,
     {rules::along_axis},
     "Computes the softmax along an axis: exponentials divided by their sum"},
    {"Softplus",
     "",
     1,
     softplus_inputs,
     softplus_outputs,
     softplus_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes log(1 + exp(x)) for each element"},
    {"Softplus",
     "",
     22,
     softplus_inputs,
     softplus_outputs,
     softplus_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes log(1 + exp(x)) for each element"},
    {"Softsign",
     "",
     1,
     softsign_inputs,
     softsign_outputs,
     softsign_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes x / (1 + |x|) for each element"},
    {"Softsign",
     "",
     22,
     softsign_inputs,
     softsign_outputs,
     softsign_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes x / (1 + |x|) for each element"},
    {"SwiGLU",
     "",
     28,
     swiglu_inputs,
     swiglu_outputs,
     swiglu_types,
     swiglu_attributes,
     2,
     1,
     {rules::gated},
     "Computes swish(A) * B, with swish(a) = a * sigmoid(alpha * a)"},
    {"Swish",
     "",
     24,
     swish_inputs,
     swish_outputs,
     swish_types,
     swish_attributes,
     1,
     1,
     {rules::same, true},
     "Computes x * sigmoid(alpha * x) for each element"},
    {"ThresholdedRelu",
     "",
     10,
     thresholded_relu_inputs,
     thresholded_relu_outputs,
     thresholded_relu_types,
     thresholded_relu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes x for x > alpha, else 0, for each element"},
    {"ThresholdedRelu",
     "",
     22,
     thresholded_relu_inputs,
     thresholded_relu_outputs,
     thresholded_relu_types_22,
     thresholded_relu_attributes,
     1,
     1,
     {rules::same, true},
     "Computes x for x > alpha, else 0, for each element"},
};

}  // namespace jax2onnx::records
