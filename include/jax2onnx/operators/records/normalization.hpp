// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/normalization.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// BatchNormalization
inline constexpr formal batch_normalization_inputs[] = {
    {"X", 0}, {"scale", 1}, {"B", 1}, {"input_mean", 2}, {"input_var", 2}};
inline constexpr formal batch_normalization_outputs[] = {
    {"Y", 0}, {"running_mean", 2, presence::optional}, {"running_var", 2, presence::optional}};
inline constexpr type_constraint batch_normalization_types[] = {{"T", {.tensors = floats | types({bf16})}},
                                                                {"T1", {.tensors = floats | types({bf16})}},
                                                                {"T2", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute batch_normalization_attributes[] = {{"epsilon", real, defaulted, {.real = 1e-05}},
                                                                      {"momentum", real, defaulted, {.real = 0.9}},
                                                                      {"training_mode", integer, defaulted}};
// Dropout
inline constexpr formal dropout_inputs[] = {
    {"data", 0}, {"ratio", 1, presence::optional}, {"training_mode", 2, presence::optional}};
inline constexpr formal dropout_outputs[] = {{"output", 0}, {"mask", 2, presence::optional}};
inline constexpr type_constraint dropout_types[] = {
    {"T", {.tensors = floats | types({bf16})}}, {"T1", {.tensors = floats}}, {"T2", {.tensors = types({boolean})}}};
inline constexpr formal_attribute dropout_attributes[] = {{"seed", integer}};
inline constexpr type_constraint dropout_types_22[] = {{"T", {.tensors = floats | float8s | types({bf16})}},
                                                       {"T1", {.tensors = floats | float8s | types({bf16})}},
                                                       {"T2", {.tensors = types({boolean})}}};
// GroupNormalization
inline constexpr formal group_normalization_inputs[] = {{"X", 0}, {"scale", 0}, {"bias", 0}};
inline constexpr formal group_normalization_outputs[] = {{"Y", 0}};
inline constexpr type_constraint group_normalization_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute group_normalization_attributes[] = {
    {"epsilon", real, defaulted, {.real = 1e-05}},
    {"num_groups", integer, required},
    {"stash_type", integer, defaulted, {.integer = 1}}};
// InstanceNormalization
inline constexpr formal instance_normalization_inputs[] = {{"input", 0}, {"scale", 0}, {"B", 0}};
inline constexpr formal instance_normalization_outputs[] = {{"output", 0}};
inline constexpr type_constraint instance_normalization_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute instance_normalization_attributes[] = {{"epsilon", real, defaulted, {.real = 1e-05}}};
inline constexpr type_constraint instance_normalization_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// LRN
inline constexpr formal lrn_inputs[] = {{"X", 0}};
inline constexpr formal lrn_outputs[] = {{"Y", 0}};
inline constexpr type_constraint lrn_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute lrn_attributes[] = {{"alpha", real, defaulted, {.real = 0.0001}},
                                                      {"beta", real, defaulted, {.real = 0.75}},
                                                      {"bias", real, defaulted, {.real = 1.0}},
                                                      {"size", integer, required}};
// LayerNormalization
inline constexpr formal layer_normalization_inputs[] = {{"X", 0}, {"Scale", 0}, {"B", 0, presence::optional}};
inline constexpr formal layer_normalization_outputs[] = {
    {"Y", 0}, {"Mean", 1, presence::optional}, {"InvStdDev", 1, presence::optional}};
inline constexpr type_constraint layer_normalization_types[] = {{"T", {.tensors = floats | types({bf16})}},
                                                                {"U", {.tensors = types({bf16, f32})}}};
inline constexpr formal_attribute layer_normalization_attributes[] = {
    {"axis", integer, defaulted, {.integer = -1}},
    {"epsilon", real, defaulted, {.real = 1e-05}},
    {"stash_type", integer, defaulted, {.integer = 1}}};
// LpNormalization
inline constexpr formal lp_normalization_inputs[] = {{"input", 0}};
inline constexpr formal lp_normalization_outputs[] = {{"output", 0}};
inline constexpr type_constraint lp_normalization_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute lp_normalization_attributes[] = {{"axis", integer, defaulted, {.integer = -1}},
                                                                   {"p", integer, defaulted, {.integer = 2}}};
inline constexpr type_constraint lp_normalization_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// MeanVarianceNormalization
inline constexpr formal mean_variance_normalization_inputs[] = {{"X", 0}};
inline constexpr formal mean_variance_normalization_outputs[] = {{"Y", 0}};
inline constexpr type_constraint mean_variance_normalization_types[] = {{"T", {.tensors = floats | types({bf16})}}};
inline constexpr std::int64_t mean_variance_normalization_axes_default[] = {0, 2, 3};
inline constexpr formal_attribute mean_variance_normalization_attributes[] = {
    {"axes", integers, defaulted, {.integers = mean_variance_normalization_axes_default}}};
// RMSNormalization
inline constexpr formal rms_normalization_inputs[] = {{"X", 0}, {"scale", 1}};
inline constexpr formal rms_normalization_outputs[] = {{"Y", 1}};
inline constexpr type_constraint rms_normalization_types[] = {{"T", {.tensors = floats | types({bf16})}},
                                                              {"V", {.tensors = floats | types({bf16})}}};
inline constexpr formal_attribute rms_normalization_attributes[] = {{"axis", integer, defaulted, {.integer = -1}},
                                                                    {"epsilon", real, defaulted, {.real = 1e-05}},
                                                                    {"stash_type", integer, defaulted, {.integer = 1}}};

inline constexpr op_record normalization_records[] = {
    {"BatchNormalization",
     "",
     15,
     batch_normalization_inputs,
     batch_normalization_outputs,
     batch_normalization_types,
     batch_normalization_attributes,
     5,
     1,
     {rules::batch_normalization},
     "Computes batch normalization (https://arxiv.org/abs/1502.03167)"},
    {"Dropout",
     "",
     13,
     dropout_inputs,
     dropout_outputs,
     dropout_types,
     dropout_attributes,
     1,
     1,
     {rules::dropout},
     "Sets random elements to 0 and scales the others if training_mode is true, else returns its operand",
     false},
    {"Dropout",
     "",
     22,
     dropout_inputs,
     dropout_outputs,
     dropout_types_22,
     dropout_attributes,
     1,
     1,
     {rules::dropout},
     "Sets random elements to 0 and scales the others if training_mode is true, else returns its operand",
     false},
    {"GroupNormalization",
     "",
     21,
     group_normalization_inputs,
     group_normalization_outputs,
     group_normalization_types,
     group_normalization_attributes,
     3,
     1,
     {rules::channel_normalization},
     "Computes group normalization (https://arxiv.org/abs/1803.08494)"},
    {"InstanceNormalization",
     "",
     6,
     instance_normalization_inputs,
     instance_normalization_outputs,
     instance_normalization_types,
     instance_normalization_attributes,
     3,
     1,
     {rules::channel_normalization},
     "Computes instance normalization (https://arxiv.org/abs/1607.08022)"},
    {"InstanceNormalization",
     "",
     22,
     instance_normalization_inputs,
     instance_normalization_outputs,
     instance_normalization_types_22,
     instance_normalization_attributes,
     3,
     1,
     {rules::channel_normalization},
     "Computes instance normalization (https://arxiv.org/abs/1607.08022)"},
    {"LRN",
     "",
     13,
     lrn_inputs,
     lrn_outputs,
     lrn_types,
     lrn_attributes,
     1,
     1,
     {rules::lrn},
     "Computes local response normalization, as AlexNet does"},
    {"LayerNormalization",
     "",
     17,
     layer_normalization_inputs,
     layer_normalization_outputs,
     layer_normalization_types,
     layer_normalization_attributes,
     2,
     1,
     {rules::layer_normalization},
     "Computes layer normalization over the last axes (https://arxiv.org/abs/1607.06450)"},
    {"LpNormalization",
     "",
     1,
     lp_normalization_inputs,
     lp_normalization_outputs,
     lp_normalization_types,
     lp_normalization_attributes,
     1,
     1,
     {rules::lp_normalization},
     "Divides a tensor by its Lp norm along an axis"},
    {"LpNormalization",
     "",
     22,
     lp_normalization_inputs,
     lp_normalization_outputs,
     lp_normalization_types_22,
     lp_normalization_attributes,
     1,
     1,
     {rules::lp_normalization},
     "Divides a tensor by its Lp norm along an axis"},
    {"MeanVarianceNormalization",
     "",
     13,
     mean_variance_normalization_inputs,
     mean_variance_normalization_outputs,
     mean_variance_normalization_types,
     mean_variance_normalization_attributes,
     1,
     1,
     {rules::mean_variance_normalization},
     "Subtracts the mean along axes, and divides by the standard deviation"},
    {"RMSNormalization",
     "",
     23,
     rms_normalization_inputs,
     rms_normalization_outputs,
     rms_normalization_types,
     rms_normalization_attributes,
     2,
     1,
     {rules::rms_normalization},
     "Computes RMS normalization over the last axes (https://arxiv.org/abs/1910.07467)"},
};

}  // namespace jax2onnx::records
