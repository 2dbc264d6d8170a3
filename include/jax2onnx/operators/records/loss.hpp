// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/loss.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// NegativeLogLikelihoodLoss
inline constexpr formal negative_log_likelihood_loss_inputs[] = {
    {"input", 0}, {"target", 1}, {"weight", 0, presence::optional}};
inline constexpr formal negative_log_likelihood_loss_outputs[] = {{"loss", 0}};
inline constexpr type_constraint negative_log_likelihood_loss_types[] = {{"T", {.tensors = floats}},
                                                                         {"Tind", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute negative_log_likelihood_loss_attributes[] = {
    {"ignore_index", integer}, {"reduction", text, defaulted, {.text = "mean"}}};
inline constexpr type_constraint negative_log_likelihood_loss_types_22[] = {{"T", {.tensors = floats | types({bf16})}},
                                                                            {"Tind", {.tensors = types({i32, i64})}}};
// SoftmaxCrossEntropyLoss
inline constexpr formal softmax_cross_entropy_loss_inputs[] = {
    {"scores", 0}, {"labels", 1}, {"weights", 0, presence::optional}};
inline constexpr formal softmax_cross_entropy_loss_outputs[] = {{"output", 0}, {"log_prob", 0, presence::optional}};
inline constexpr type_constraint softmax_cross_entropy_loss_types[] = {{"T", {.tensors = floats | types({bf16})}},
                                                                       {"Tind", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute softmax_cross_entropy_loss_attributes[] = {
    {"ignore_index", integer}, {"reduction", text, defaulted, {.text = "mean"}}};
// Adagrad
inline constexpr formal adagrad_inputs[] = {{"R", 0}, {"T", 1}, {"inputs", 2, presence::variadic, false}};
inline constexpr formal adagrad_outputs[] = {{"outputs", 2, presence::variadic, false}};
inline constexpr type_constraint adagrad_types[] = {
    {"T1", {.tensors = types({f32, f64})}}, {"T2", {.tensors = types({i64})}}, {"T3", {.tensors = types({f32, f64})}}};
inline constexpr formal_attribute adagrad_attributes[] = {{"decay_factor", real, defaulted},
                                                          {"epsilon", real, defaulted, {.real = 1e-06}},
                                                          {"norm_coefficient", real, defaulted}};
// Adam
inline constexpr formal adam_inputs[] = {{"R", 0}, {"T", 1}, {"inputs", 2, presence::variadic, false}};
inline constexpr formal adam_outputs[] = {{"outputs", 2, presence::variadic, false}};
inline constexpr type_constraint adam_types[] = {
    {"T1", {.tensors = types({f32, f64})}}, {"T2", {.tensors = types({i64})}}, {"T3", {.tensors = types({f32, f64})}}};
inline constexpr formal_attribute adam_attributes[] = {{"alpha", real, defaulted, {.real = 0.9}},
                                                       {"beta", real, defaulted, {.real = 0.999}},
                                                       {"epsilon", real, defaulted, {.real = 1e-06}},
                                                       {"norm_coefficient", real, defaulted},
                                                       {"norm_coefficient_post", real, defaulted}};
// Momentum
inline constexpr formal momentum_inputs[] = {{"R", 0}, {"T", 1}, {"inputs", 2, presence::variadic, false}};
inline constexpr formal momentum_outputs[] = {{"outputs", 2, presence::variadic, false}};
inline constexpr type_constraint momentum_types[] = {
    {"T1", {.tensors = types({f32, f64})}}, {"T2", {.tensors = types({i64})}}, {"T3", {.tensors = types({f32, f64})}}};
inline constexpr formal_attribute momentum_attributes[] = {{"alpha", real, required},
                                                           {"beta", real, required},
                                                           {"mode", text, required},
                                                           {"norm_coefficient", real, required}};

inline constexpr op_record loss_records[] = {
    {"NegativeLogLikelihoodLoss",
     "",
     13,
     negative_log_likelihood_loss_inputs,
     negative_log_likelihood_loss_outputs,
     negative_log_likelihood_loss_types,
     negative_log_likelihood_loss_attributes,
     2,
     1,
     {rules::negative_log_likelihood_loss},
     "Computes the negative log likelihood loss, weighted by class if there are weights"},
    {"NegativeLogLikelihoodLoss",
     "",
     22,
     negative_log_likelihood_loss_inputs,
     negative_log_likelihood_loss_outputs,
     negative_log_likelihood_loss_types_22,
     negative_log_likelihood_loss_attributes,
     2,
     1,
     {rules::negative_log_likelihood_loss},
     "Computes the negative log likelihood loss, weighted by class if there are weights"},
    {"SoftmaxCrossEntropyLoss",
     "",
     13,
     softmax_cross_entropy_loss_inputs,
     softmax_cross_entropy_loss_outputs,
     softmax_cross_entropy_loss_types,
     softmax_cross_entropy_loss_attributes,
     2,
     1,
     {rules::softmax_cross_entropy_loss},
     "Computes the cross entropy between the softmax of scores and labels"},
    {"Adagrad",
     "ai.onnx.preview.training",
     1,
     adagrad_inputs,
     adagrad_outputs,
     adagrad_types,
     adagrad_attributes,
     3,
     1,
     {rules::training},
     "Computes one step of the optimizer Adagrad"},
    {"Adam",
     "ai.onnx.preview.training",
     1,
     adam_inputs,
     adam_outputs,
     adam_types,
     adam_attributes,
     3,
     1,
     {rules::training},
     "Computes one step of the optimizer Adam"},
    {"Momentum",
     "ai.onnx.preview.training",
     1,
     momentum_inputs,
     momentum_outputs,
     momentum_types,
     momentum_attributes,
     3,
     1,
     {rules::training},
     "Computes one step of stochastic gradient descent with momentum"},
};

}  // namespace jax2onnx::records
