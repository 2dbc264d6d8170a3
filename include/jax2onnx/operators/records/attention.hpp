// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/attention.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// Attention
inline constexpr formal attention_inputs[] = {{"Q", 0},
                                              {"K", 0},
                                              {"V", 1},
                                              {"attn_mask", 2, presence::optional},
                                              {"past_key", 0, presence::optional},
                                              {"past_value", 1, presence::optional}};
inline constexpr formal attention_outputs[] = {{"Y", 0},
                                               {"present_key", 0, presence::optional},
                                               {"present_value", 1, presence::optional},
                                               {"qk_matmul_output", 0, presence::optional}};
inline constexpr type_constraint attention_types[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                      {"T2", {.tensors = floats | types({bf16})}},
                                                      {"U", {.tensors = numbers | types({bf16, boolean})}}};
inline constexpr formal_attribute attention_attributes[] = {{"is_causal", integer, defaulted},
                                                            {"kv_num_heads", integer},
                                                            {"q_num_heads", integer},
                                                            {"qk_matmul_output_mode", integer, defaulted},
                                                            {"scale", real},
                                                            {"softcap", real, defaulted},
                                                            {"softmax_precision", integer}};
inline constexpr formal attention_inputs_24[] = {{"Q", 0},
                                                 {"K", 0},
                                                 {"V", 1},
                                                 {"attn_mask", 2, presence::optional},
                                                 {"past_key", 0, presence::optional},
                                                 {"past_value", 1, presence::optional},
                                                 {"nonpad_kv_seqlen", 3, presence::optional}};
inline constexpr type_constraint attention_types_24[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                         {"T2", {.tensors = floats | types({bf16})}},
                                                         {"U", {.tensors = numbers | types({bf16, boolean})}},
                                                         {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute attention_attributes_25[] = {
    {"is_causal", integer, defaulted},
    {"kv_num_heads", integer},
    {"left_window_size", integer, defaulted, {.integer = -1}},
    {"q_num_heads", integer},
    {"qk_matmul_output_mode", integer, defaulted},
    {"right_window_size", integer, defaulted, {.integer = -1}},
    {"scale", real},
    {"softcap", real, defaulted},
    {"softmax_precision", integer}};
// LinearAttention
inline constexpr formal linear_attention_inputs[] = {{"query", 0},
                                                     {"key", 0},
                                                     {"value", 0},
                                                     {"past_state", 1, presence::optional},
                                                     {"decay", 0, presence::optional},
                                                     {"beta", 0, presence::optional}};
inline constexpr formal linear_attention_outputs[] = {{"output", 0}, {"present_state", 1}};
inline constexpr type_constraint linear_attention_types[] = {{"T", {.tensors = types({bf16, f16, f32})}},
                                                             {"S", {.tensors = types({bf16, f16, f32})}}};
inline constexpr formal_attribute linear_attention_attributes[] = {
    {"chunk_size", integer, defaulted, {.integer = 64}},
    {"kv_num_heads", integer, required},
    {"q_num_heads", integer, required},
    {"scale", real, defaulted},
    {"update_rule", text, defaulted, {.text = "gated_delta"}}};
// RotaryEmbedding
inline constexpr formal rotary_embedding_inputs[] = {
    {"X", 0}, {"cos_cache", 0}, {"sin_cache", 0}, {"position_ids", 1, presence::optional}};
inline constexpr formal rotary_embedding_outputs[] = {{"Y", 0}};
inline constexpr type_constraint rotary_embedding_types[] = {{"T", {.tensors = types({bf16, f16, f32})}},
                                                             {"M", {.tensors = types({i64})}}};
inline constexpr formal_attribute rotary_embedding_attributes[] = {
    {"interleaved", integer, defaulted}, {"num_heads", integer}, {"rotary_embedding_dim", integer, defaulted}};

inline constexpr op_record attention_records[] = {
    {"Attention",
     "",
     23,
     attention_inputs,
     attention_outputs,
     attention_types,
     attention_attributes,
     3,
     1,
     {rules::attention},
     "Computes the scaled dot-product attention of queries, keys and values"},
    {"Attention",
     "",
     24,
     attention_inputs_24,
     attention_outputs,
     attention_types_24,
     attention_attributes,
     3,
     1,
     {rules::attention},
     "Computes the scaled dot-product attention of queries, keys and values"},
    {"Attention",
     "",
     25,
     attention_inputs_24,
     attention_outputs,
     attention_types_24,
     attention_attributes_25,
     3,
     1,
     {rules::attention},
     "Computes the scaled dot-product attention of queries, keys and values"},
    {"LinearAttention",
     "",
     27,
     linear_attention_inputs,
     linear_attention_outputs,
     linear_attention_types,
     linear_attention_attributes,
     3,
     2,
     {rules::linear_attention},
     "Computes linear attention for one or more tokens: a memory of keys and values that queries read"},
    {"RotaryEmbedding",
     "",
     23,
     rotary_embedding_inputs,
     rotary_embedding_outputs,
     rotary_embedding_types,
     rotary_embedding_attributes,
     3,
     1,
     {rules::rotary_embedding},
     "Computes rotary positional embeddings (https://arxiv.org/abs/2104.09864)"},
};

}  // namespace jax2onnx::records
