// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The attention operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of attention.
struct attention_attributes {
  flag is_causal = false;
  std::optional<float> scale = std::nullopt;
  std::optional<std::int64_t> q_num_heads = std::nullopt;
  std::optional<std::int64_t> kv_num_heads = std::nullopt;
  std::int64_t left_window_size = -1;
  std::int64_t qk_matmul_output_mode = 0;
  std::int64_t right_window_size = -1;
  float softcap = 0.0f;
  jax2onnx::dtype softmax_precision = jax2onnx::dtype::undefined;
};
/// The results of attention.
struct attention_outputs {
  value y, present_key, present_value, qk_matmul_output;
  /// The first result; the others are optional.
  operator const value&() const { return y; }
};
/// Computes the scaled dot-product attention of queries, keys and values (Attention, opset 23).
inline attention_outputs attention(const operand& q, const operand& k, const operand& v, const operand& attn_mask = {},
                                   const operand& past_key = {}, const operand& past_value = {},
                                   const operand& nonpad_kv_seqlen = {}, const attention_attributes& attributes = {}) {
  node_builder n("Attention", {q, k, v, attn_mask, past_key, past_value, nonpad_kv_seqlen});
  n.set("is_causal", attributes.is_causal, false);
  n.set("scale", attributes.scale);
  n.set("q_num_heads", attributes.q_num_heads);
  n.set("kv_num_heads", attributes.kv_num_heads);
  n.set("left_window_size", attributes.left_window_size, -1);
  n.set("qk_matmul_output_mode", attributes.qk_matmul_output_mode, 0);
  n.set("right_window_size", attributes.right_window_size, -1);
  n.set("softcap", attributes.softcap, 0.0f);
  n.set("softmax_precision", attributes.softmax_precision);
  const auto results = n.build(4);
  return {results[0], results[1], results[2], results[3]};
}

/// The attributes of linear_attention.
struct linear_attention_attributes {
  float scale = 0.0f;
  required<std::int64_t, struct linear_attention_needs_q_num_heads> q_num_heads;
  required<std::int64_t, struct linear_attention_needs_kv_num_heads> kv_num_heads;
  std::int64_t chunk_size = 64;
  chosen<jax2onnx::update_rule> update_rule = jax2onnx::update_rule::gated_delta;
};
/// The results of linear_attention.
struct linear_attention_outputs {
  value output, present_state;
};
/// Computes linear attention for one or more tokens: a memory of keys and values that queries read (LinearAttention,
/// opset 27).
inline linear_attention_outputs linear_attention(const operand& query, const operand& key, const operand& value_,
                                                 const operand& past_state = {}, const operand& decay = {},
                                                 const operand& beta = {},
                                                 const linear_attention_attributes& attributes = {}) {
  node_builder n("LinearAttention", {query, key, value_, past_state, decay, beta});
  n.set("scale", attributes.scale, 0.0f);
  n.set("q_num_heads", attributes.q_num_heads);
  n.set("kv_num_heads", attributes.kv_num_heads);
  n.set("chunk_size", attributes.chunk_size, 64);
  n.set("update_rule", attributes.update_rule.value, jax2onnx::update_rule::gated_delta);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of rotary_embedding.
struct rotary_embedding_attributes {
  flag interleaved = false;
  std::optional<std::int64_t> num_heads = std::nullopt;
  std::int64_t rotary_embedding_dim = 0;
};
/// Computes rotary positional embeddings (https://arxiv.org/abs/2104.09864) (RotaryEmbedding, opset 23).
inline value rotary_embedding(const operand& x, const operand& cos_cache, const operand& sin_cache,
                              const operand& position_ids = {}, const rotary_embedding_attributes& attributes = {}) {
  node_builder n("RotaryEmbedding", {x, cos_cache, sin_cache, position_ids});
  n.set("interleaved", attributes.interleaved, false);
  n.set("num_heads", attributes.num_heads);
  n.set("rotary_embedding_dim", attributes.rotary_embedding_dim, 0);
  return n.build();
}

}  // namespace jax2onnx
