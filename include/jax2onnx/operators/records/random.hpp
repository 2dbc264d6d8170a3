// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/random.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// Bernoulli
inline constexpr formal bernoulli_inputs[] = {{"input", 0}};
inline constexpr formal bernoulli_outputs[] = {{"output", 1}};
inline constexpr type_constraint bernoulli_types[] = {{"T1", {.tensors = floats}},
                                                      {"T2", {.tensors = numbers | types({bf16, boolean})}}};
inline constexpr formal_attribute bernoulli_attributes[] = {{"dtype", integer}, {"seed", real}};
inline constexpr type_constraint bernoulli_types_22[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                         {"T2", {.tensors = numbers | types({bf16, boolean})}}};
// Multinomial
inline constexpr formal multinomial_inputs[] = {{"input", 0}};
inline constexpr formal multinomial_outputs[] = {{"output", 1}};
inline constexpr type_constraint multinomial_types[] = {{"T1", {.tensors = floats}},
                                                        {"T2", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute multinomial_attributes[] = {
    {"dtype", integer, defaulted, {.integer = 6}}, {"sample_size", integer, defaulted, {.integer = 1}}, {"seed", real}};
inline constexpr type_constraint multinomial_types_22[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                           {"T2", {.tensors = types({i32, i64})}}};
// RandomNormal
inline constexpr formal random_normal_outputs[] = {{"output", 0}};
inline constexpr type_constraint random_normal_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute random_normal_attributes[] = {{"dtype", integer, defaulted, {.integer = 1}},
                                                                {"mean", real, defaulted},
                                                                {"scale", real, defaulted, {.real = 1.0}},
                                                                {"seed", real},
                                                                {"shape", integers, required}};
inline constexpr type_constraint random_normal_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// RandomNormalLike
inline constexpr formal random_normal_like_inputs[] = {{"input", 0}};
inline constexpr formal random_normal_like_outputs[] = {{"output", 1}};
inline constexpr type_constraint random_normal_like_types[] = {{"T1", {.tensors = basic_types}},
                                                               {"T2", {.tensors = floats}}};
inline constexpr formal_attribute random_normal_like_attributes[] = {
    {"dtype", integer}, {"mean", real, defaulted}, {"scale", real, defaulted, {.real = 1.0}}, {"seed", real}};
inline constexpr type_constraint random_normal_like_types_22[] = {{"T1", {.tensors = basic_types | types({bf16})}},
                                                                  {"T2", {.tensors = floats | types({bf16})}}};
// RandomUniform
inline constexpr formal random_uniform_outputs[] = {{"output", 0}};
inline constexpr type_constraint random_uniform_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute random_uniform_attributes[] = {{"dtype", integer, defaulted, {.integer = 1}},
                                                                 {"high", real, defaulted, {.real = 1.0}},
                                                                 {"low", real, defaulted},
                                                                 {"seed", real},
                                                                 {"shape", integers, required}};
inline constexpr type_constraint random_uniform_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// RandomUniformLike
inline constexpr formal random_uniform_like_inputs[] = {{"input", 0}};
inline constexpr formal random_uniform_like_outputs[] = {{"output", 1}};
inline constexpr type_constraint random_uniform_like_types[] = {{"T1", {.tensors = basic_types}},
                                                                {"T2", {.tensors = floats}}};
inline constexpr formal_attribute random_uniform_like_attributes[] = {
    {"dtype", integer}, {"high", real, defaulted, {.real = 1.0}}, {"low", real, defaulted}, {"seed", real}};
inline constexpr type_constraint random_uniform_like_types_22[] = {{"T1", {.tensors = basic_types | types({bf16})}},
                                                                   {"T2", {.tensors = floats | types({bf16})}}};

inline constexpr op_record random_records[] = {
    {"Bernoulli",
     "",
     15,
     bernoulli_inputs,
     bernoulli_outputs,
     bernoulli_types,
     bernoulli_attributes,
     1,
     1,
     {rules::random_like},
     "Draws 0 or 1 for each element, which is the probability of 1",
     false},
    {"Bernoulli",
     "",
     22,
     bernoulli_inputs,
     bernoulli_outputs,
     bernoulli_types_22,
     bernoulli_attributes,
     1,
     1,
     {rules::random_like},
     "Draws 0 or 1 for each element, which is the probability of 1",
     false},
    {"Multinomial",
     "",
     7,
     multinomial_inputs,
     multinomial_outputs,
     multinomial_types,
     multinomial_attributes,
     1,
     1,
     {rules::multinomial},
     "Draws samples from multinomial distributions with the given unnormalized log-probabilities",
     false},
    {"Multinomial",
     "",
     22,
     multinomial_inputs,
     multinomial_outputs,
     multinomial_types_22,
     multinomial_attributes,
     1,
     1,
     {rules::multinomial},
     "Draws samples from multinomial distributions with the given unnormalized log-probabilities",
     false},
    {"RandomNormal",
     "",
     1,
     {},
     random_normal_outputs,
     random_normal_types,
     random_normal_attributes,
     0,
     1,
     {rules::random},
     "Draws random numbers from a normal distribution",
     false},
    {"RandomNormal",
     "",
     22,
     {},
     random_normal_outputs,
     random_normal_types_22,
     random_normal_attributes,
     0,
     1,
     {rules::random},
     "Draws random numbers from a normal distribution",
     false},
    {"RandomNormalLike",
     "",
     1,
     random_normal_like_inputs,
     random_normal_like_outputs,
     random_normal_like_types,
     random_normal_like_attributes,
     1,
     1,
     {rules::random_like},
     "Draws random numbers from a normal distribution, in the shape of the operand",
     false},
    {"RandomNormalLike",
     "",
     22,
     random_normal_like_inputs,
     random_normal_like_outputs,
     random_normal_like_types_22,
     random_normal_like_attributes,
     1,
     1,
     {rules::random_like},
     "Draws random numbers from a normal distribution, in the shape of the operand",
     false},
    {"RandomUniform",
     "",
     1,
     {},
     random_uniform_outputs,
     random_uniform_types,
     random_uniform_attributes,
     0,
     1,
     {rules::random},
     "Draws random numbers from a uniform distribution",
     false},
    {"RandomUniform",
     "",
     22,
     {},
     random_uniform_outputs,
     random_uniform_types_22,
     random_uniform_attributes,
     0,
     1,
     {rules::random},
     "Draws random numbers from a uniform distribution",
     false},
    {"RandomUniformLike",
     "",
     1,
     random_uniform_like_inputs,
     random_uniform_like_outputs,
     random_uniform_like_types,
     random_uniform_like_attributes,
     1,
     1,
     {rules::random_like},
     "Draws random numbers from a uniform distribution, in the shape of the operand",
     false},
    {"RandomUniformLike",
     "",
     22,
     random_uniform_like_inputs,
     random_uniform_like_outputs,
     random_uniform_like_types_22,
     random_uniform_like_attributes,
     1,
     1,
     {rules::random_like},
     "Draws random numbers from a uniform distribution, in the shape of the operand",
     false},
};

}  // namespace jax2onnx::records
