// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/attention.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding attention_rebuildings[];
const rebuilding attention_rebuildings[] = {
    {"", "Attention",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::attention(
           n.in(0), n.in(1), n.in(2), n.in(3), n.in(4), n.in(5), n.in(6),
           {.is_causal = n.get<flag>("is_causal", false),
            .scale = n.get<std::optional<float>>("scale"),
            .q_num_heads = n.get<std::optional<std::int64_t>>("q_num_heads"),
            .kv_num_heads = n.get<std::optional<std::int64_t>>("kv_num_heads"),
            .left_window_size = n.get<std::int64_t>("left_window_size", -1),
            .qk_matmul_output_mode = n.get<std::int64_t>("qk_matmul_output_mode", 0),
            .right_window_size = n.get<std::int64_t>("right_window_size", -1),
            .softcap = n.get<float>("softcap", 0.0f),
            .softmax_precision = n.get<jax2onnx::dtype>("softmax_precision", jax2onnx::dtype::undefined)});
       return {r.y, r.present_key, r.present_value, r.qk_matmul_output};
     }},
    {"", "LinearAttention",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::linear_attention(
           n.in(0), n.in(1), n.in(2), n.in(3), n.in(4), n.in(5),
           {.scale = n.get<float>("scale", 0.0f),
            .q_num_heads = n.get<std::int64_t>("q_num_heads"),
            .kv_num_heads = n.get<std::int64_t>("kv_num_heads"),
            .chunk_size = n.get<std::int64_t>("chunk_size", 64),
            .update_rule = n.get<jax2onnx::update_rule>("update_rule", jax2onnx::update_rule::gated_delta)});
       return {r.output, r.present_state};
     }},
    {"", "RotaryEmbedding",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::rotary_embedding(n.in(0), n.in(1), n.in(2), n.in(3),
                                          {.interleaved = n.get<flag>("interleaved", false),
                                           .num_heads = n.get<std::optional<std::int64_t>>("num_heads"),
                                           .rotary_embedding_dim = n.get<std::int64_t>("rotary_embedding_dim", 0)})};
     }},
    {},
};

}  // namespace jax2onnx
