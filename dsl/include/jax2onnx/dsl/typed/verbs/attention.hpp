// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/attention.hpp>
#include <jax2onnx/ops/verbs/attention.hpp>

/// The attention operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using attention = operator_at<records::attention_records, 2>;
using linear_attention = operator_at<records::attention_records, 3>;
using rotary_embedding = operator_at<records::attention_records, 4>;
}  // namespace typed_operators

/// The attributes of attention as a template argument.
struct attention_attributes_of {
  flag is_causal = false;
  fixed_optional<std::int64_t> q_num_heads = {};
  fixed_optional<std::int64_t> kv_num_heads = {};
  std::int64_t left_window_size = -1;
  std::int64_t qk_matmul_output_mode = 0;
  std::int64_t right_window_size = -1;
  jax2onnx::dtype softmax_precision = jax2onnx::dtype::undefined;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 7> known() const {
    return {
        known_attribute{
            .name = "is_causal", .given = is_causal != false, .integer = static_cast<std::int64_t>(is_causal)},
        known_attribute{
            .name = "q_num_heads", .given = q_num_heads.given, .integer = static_cast<std::int64_t>(q_num_heads.value)},
        known_attribute{.name = "kv_num_heads",
                        .given = kv_num_heads.given,
                        .integer = static_cast<std::int64_t>(kv_num_heads.value)},
        known_attribute{.name = "left_window_size",
                        .given = left_window_size != -1,
                        .integer = static_cast<std::int64_t>(left_window_size)},
        known_attribute{.name = "qk_matmul_output_mode",
                        .given = qk_matmul_output_mode != 0,
                        .integer = static_cast<std::int64_t>(qk_matmul_output_mode)},
        known_attribute{.name = "right_window_size",
                        .given = right_window_size != -1,
                        .integer = static_cast<std::int64_t>(right_window_size)},
        known_attribute{.name = "softmax_precision",
                        .given = softmax_precision != jax2onnx::dtype::undefined,
                        .integer = static_cast<std::int64_t>(softmax_precision)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::attention_attributes run_time() const {
    return {.is_causal = is_causal,
            .q_num_heads = q_num_heads.get(),
            .kv_num_heads = kv_num_heads.get(),
            .left_window_size = left_window_size,
            .qk_matmul_output_mode = qk_matmul_output_mode,
            .right_window_size = right_window_size,
            .softmax_precision = softmax_precision};
  }
};

/// The results of attention.
template <class YType, class PresentKeyType, class PresentValueType, class QkMatmulOutputType>
struct attention_results {
  YType y;
  PresentKeyType present_key;
  PresentValueType present_value;
  QkMatmulOutputType qk_matmul_output;
  /// The first result; the others are optional.
  /// @{
  const YType& first_output() const { return y; }
  operator const value&() const { return y; }
  /// @}
};

/// Computes the scaled dot-product attention of queries, keys and values (Attention).
/// @{
template <class QType, class KType, class VType, class AttnMaskType = absent, class PastKeyType = absent,
          class PastValueType = absent, class NonpadKvSeqlenType = absent>
requires typed_operands<QType, KType, VType, AttnMaskType, PastKeyType, PastValueType, NonpadKvSeqlenType>
auto attention(const QType& q, const KType& k, const VType& v, const AttnMaskType& attn_mask = {},
               const PastKeyType& past_key = {}, const PastValueType& past_value = {},
               const NonpadKvSeqlenType& nonpad_kv_seqlen = {}) {
  using call = typed_call<typed_operators::attention, default_attributes, 4, QType, KType, VType, AttnMaskType,
                          PastKeyType, PastValueType, NonpadKvSeqlenType>;
  using results = attention_results<typename call::template output<0>, typename call::template output<1>,
                                    typename call::template output<2>, typename call::template output<3>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::attention(as_value(q), as_operand(k), as_operand(v), as_operand(attn_mask), as_operand(past_key),
                            as_operand(past_value), as_operand(nonpad_kv_seqlen), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.present_key),
                   call::template result<2>(made.present_value), call::template result<3>(made.qk_matmul_output)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call(), failed_call()};
}
template <class QType, class KType, class VType, class AttnMaskType = absent, class PastKeyType = absent,
          class PastValueType = absent, class NonpadKvSeqlenType = absent>
requires typed_operands<QType, KType, VType, AttnMaskType, PastKeyType, PastValueType, NonpadKvSeqlenType>
auto attention(const QType& q, const KType& k, const VType& v, const AttnMaskType& attn_mask,
               const PastKeyType& past_key, const PastValueType& past_value, const NonpadKvSeqlenType& nonpad_kv_seqlen,
               const jax2onnx::attention_attributes& attributes) {
  using call = typed_call<typed_operators::attention, run_time_attributes, 4, QType, KType, VType, AttnMaskType,
                          PastKeyType, PastValueType, NonpadKvSeqlenType>;
  using results = attention_results<typename call::template output<0>, typename call::template output<1>,
                                    typename call::template output<2>, typename call::template output<3>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::attention(as_value(q), as_operand(k), as_operand(v), as_operand(attn_mask), as_operand(past_key),
                            as_operand(past_value), as_operand(nonpad_kv_seqlen), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.present_key),
                   call::template result<2>(made.present_value), call::template result<3>(made.qk_matmul_output)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call(), failed_call()};
}
template <attention_attributes_of Attributes, class QType, class KType, class VType, class AttnMaskType = absent,
          class PastKeyType = absent, class PastValueType = absent, class NonpadKvSeqlenType = absent>
requires typed_operands<QType, KType, VType, AttnMaskType, PastKeyType, PastValueType, NonpadKvSeqlenType>
auto attention(const QType& q, const KType& k, const VType& v, const AttnMaskType& attn_mask = {},
               const PastKeyType& past_key = {}, const PastValueType& past_value = {},
               const NonpadKvSeqlenType& nonpad_kv_seqlen = {}) {
  using call = typed_call<typed_operators::attention, fixed_attributes<Attributes>, 4, QType, KType, VType,
                          AttnMaskType, PastKeyType, PastValueType, NonpadKvSeqlenType>;
  using results = attention_results<typename call::template output<0>, typename call::template output<1>,
                                    typename call::template output<2>, typename call::template output<3>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::attention(as_value(q), as_operand(k), as_operand(v), as_operand(attn_mask), as_operand(past_key),
                            as_operand(past_value), as_operand(nonpad_kv_seqlen), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.present_key),
                   call::template result<2>(made.present_value), call::template result<3>(made.qk_matmul_output)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call(), failed_call()};
}
/// @}

/// The attributes of linear_attention as a template argument.
struct linear_attention_attributes_of {
  fixed_required<std::int64_t> q_num_heads;
  fixed_required<std::int64_t> kv_num_heads;
  std::int64_t chunk_size = 64;
  jax2onnx::update_rule update_rule = jax2onnx::update_rule::gated_delta;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 4> known() const {
    return {
        known_attribute{.name = "q_num_heads", .given = true, .integer = static_cast<std::int64_t>(q_num_heads.value)},
        known_attribute{
            .name = "kv_num_heads", .given = true, .integer = static_cast<std::int64_t>(kv_num_heads.value)},
        known_attribute{
            .name = "chunk_size", .given = chunk_size != 64, .integer = static_cast<std::int64_t>(chunk_size)},
        known_attribute{.name = "update_rule",
                        .given = update_rule != jax2onnx::update_rule::gated_delta,
                        .text = jax2onnx::name(update_rule)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::linear_attention_attributes run_time() const {
    return {.q_num_heads = q_num_heads.value,
            .kv_num_heads = kv_num_heads.value,
            .chunk_size = chunk_size,
            .update_rule = update_rule};
  }
};

/// The results of linear_attention.
template <class OutputType, class PresentStateType>
struct linear_attention_results {
  OutputType output;
  PresentStateType present_state;
};

/// Computes linear attention for one or more tokens: a memory of keys and values that queries read (LinearAttention).
/// @{
template <class QueryType, class KeyType, class ValueType, class PastStateType = absent, class DecayType = absent,
          class BetaType = absent>
requires typed_operands<QueryType, KeyType, ValueType, PastStateType, DecayType, BetaType>
auto linear_attention(const QueryType& query, const KeyType& key, const ValueType& value_,
                      const PastStateType& past_state, const DecayType& decay, const BetaType& beta,
                      const jax2onnx::linear_attention_attributes& attributes = {}) {
  using call = typed_call<typed_operators::linear_attention, run_time_attributes, 2, QueryType, KeyType, ValueType,
                          PastStateType, DecayType, BetaType>;
  using results = linear_attention_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::linear_attention(as_value(query), as_operand(key), as_operand(value_), as_operand(past_state),
                                   as_operand(decay), as_operand(beta), attributes);
    return results{call::template result<0>(made.output), call::template result<1>(made.present_state)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <linear_attention_attributes_of Attributes, class QueryType, class KeyType, class ValueType,
          class PastStateType = absent, class DecayType = absent, class BetaType = absent>
requires typed_operands<QueryType, KeyType, ValueType, PastStateType, DecayType, BetaType>
auto linear_attention(const QueryType& query, const KeyType& key, const ValueType& value_,
                      const PastStateType& past_state = {}, const DecayType& decay = {}, const BetaType& beta = {}) {
  using call = typed_call<typed_operators::linear_attention, fixed_attributes<Attributes>, 2, QueryType, KeyType,
                          ValueType, PastStateType, DecayType, BetaType>;
  using results = linear_attention_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::linear_attention(as_value(query), as_operand(key), as_operand(value_), as_operand(past_state),
                                   as_operand(decay), as_operand(beta), Attributes.run_time());
    return results{call::template result<0>(made.output), call::template result<1>(made.present_state)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of rotary_embedding as a template argument.
struct rotary_embedding_attributes_of {
  flag interleaved = false;
  fixed_optional<std::int64_t> num_heads = {};
  std::int64_t rotary_embedding_dim = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {
        known_attribute{
            .name = "interleaved", .given = interleaved != false, .integer = static_cast<std::int64_t>(interleaved)},
        known_attribute{
            .name = "num_heads", .given = num_heads.given, .integer = static_cast<std::int64_t>(num_heads.value)},
        known_attribute{.name = "rotary_embedding_dim",
                        .given = rotary_embedding_dim != 0,
                        .integer = static_cast<std::int64_t>(rotary_embedding_dim)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::rotary_embedding_attributes run_time() const {
    return {.interleaved = interleaved, .num_heads = num_heads.get(), .rotary_embedding_dim = rotary_embedding_dim};
  }
};

/// Computes rotary positional embeddings (https://arxiv.org/abs/2104.09864) (RotaryEmbedding).
/// @{
template <class XType, class CosCacheType, class SinCacheType, class PositionIdsType = absent>
requires typed_operands<XType, CosCacheType, SinCacheType, PositionIdsType>
auto rotary_embedding(const XType& x, const CosCacheType& cos_cache, const SinCacheType& sin_cache,
                      const PositionIdsType& position_ids = {}) {
  using call = typed_call<typed_operators::rotary_embedding, default_attributes, 1, XType, CosCacheType, SinCacheType,
                          PositionIdsType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::rotary_embedding(as_value(x), as_operand(cos_cache),
                                                               as_operand(sin_cache), as_operand(position_ids), {}));
  else return typename refusal<call>::result();
}
template <class XType, class CosCacheType, class SinCacheType, class PositionIdsType = absent>
requires typed_operands<XType, CosCacheType, SinCacheType, PositionIdsType>
auto rotary_embedding(const XType& x, const CosCacheType& cos_cache, const SinCacheType& sin_cache,
                      const PositionIdsType& position_ids, const jax2onnx::rotary_embedding_attributes& attributes) {
  using call = typed_call<typed_operators::rotary_embedding, run_time_attributes, 1, XType, CosCacheType, SinCacheType,
                          PositionIdsType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::rotary_embedding(
        as_value(x), as_operand(cos_cache), as_operand(sin_cache), as_operand(position_ids), attributes));
  else return typename refusal<call>::result();
}
template <rotary_embedding_attributes_of Attributes, class XType, class CosCacheType, class SinCacheType,
          class PositionIdsType = absent>
requires typed_operands<XType, CosCacheType, SinCacheType, PositionIdsType>
auto rotary_embedding(const XType& x, const CosCacheType& cos_cache, const SinCacheType& sin_cache,
                      const PositionIdsType& position_ids = {}) {
  using call = typed_call<typed_operators::rotary_embedding, fixed_attributes<Attributes>, 1, XType, CosCacheType,
                          SinCacheType, PositionIdsType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::rotary_embedding(
        as_value(x), as_operand(cos_cache), as_operand(sin_cache), as_operand(position_ids), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
