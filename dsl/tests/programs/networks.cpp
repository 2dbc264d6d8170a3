// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

// The program tags words with a bidirectional LSTM, for sentences of different lengths.
PROGRAM(lstm_tagger) {
  constexpr std::int64_t hidden = 3, tags = 5;
  graph g(22);
  const auto ids = input<std::int64_t, "time"_d, "batch"_d>(g, "ids");
  const auto lengths = input<std::int32_t, "batch"_d>(g, "lengths");
  const auto words = gather(weight<11, 4>(g, "table", 1), ids);
  const auto [y, h, c] = lstm({.x = words,
                               .w = weight<2, 4 * hidden, 4>(g, "w"),
                               .r = weight<2, 4 * hidden, hidden>(g, "r", 0.5, 1),
                               .b = weight<2, 8 * hidden>(g, "b", 0.2),
                               .sequence_lens = lengths},
                              {.hidden_size = hidden, .direction = direction::bidirectional});
  const tensor<float, "time"_d, 2, "batch"_d, hidden> typed_y(y);
  const auto features = reshape<"time"_d, "batch"_d, 2 * hidden>(transpose<0, 2, 1, 3>(typed_y));
  const auto scores = dense(features, weight<2 * hidden, tags>(g, "w_out"), weight<tags>(g, "b_out"));
  output(argmax<2>(scores), "tags");
  output(scores, "scores");
  output(c, "cells");
  write_model(g, folder / "lstm_tagger.onnx");
}

// The program encodes series by a GRU and forecasts the next value by a simple recurrent layer.
PROGRAM(gru_forecast) {
  graph g(21);
  const auto x = input<float, "time"_d, "batch"_d, 2>(g, "x");
  const auto h0 = input<float, 1, "batch"_d, 4>(g, "h0");
  const auto w = weight<1, 12, 2>(g, "w");
  const auto r = weight<1, 12, 4>(g, "r", 0.4, 2);
  const auto b = weight<1, 24>(g, "b", 0.3);
  const auto code = gru<gru_attributes_of{.hidden_size = 4, .linear_before_reset = true}>(x, w, r, b, {}, h0);
  const auto states = squeeze<1>(code.y);
  const auto next =
      rnn<rnn_attributes_of{.hidden_size = 3}>(states, weight<1, 3, 4>(g, "w2"), weight<1, 3, 3>(g, "r2"));
  const tensor<float, "time"_d, 1, "batch"_d, 3> typed_y = next.y;
  output(typed_y, "y");
  output(code.y_h, "code");
  write_model(g, folder / "gru_forecast.onnx");
}

// The program attends with one new token to cached keys and values and returns the longer cache.
PROGRAM(kv_cache_step) {
  constexpr std::int64_t heads = 2, size = 4;
  graph g(23);
  const auto x = input<float, "batch"_d, "time"_d, heads * size>(g, "x");
  const auto position = input<std::int64_t, "batch"_d, "time"_d>(g, "position");
  const auto past_k = input<float, "batch"_d, heads, "past"_d, size>(g, "past_k");
  const auto past_v = input<float, "batch"_d, heads, "past"_d, size>(g, "past_v");
  const auto by_head = [](const auto& t) {
    return transpose<0, 2, 1, 3>(reshape<"batch"_d, "time"_d, heads, size>(t));
  };
  const auto [q, k, v] = split<-1, 3>(matmul(x, weight<8, 24>(g, "qkv")));
  const auto cosines = weight<16, size / 2>(g, "cosines", 1), sines = weight<16, size / 2>(g, "sines", 1, 4);
  const auto turned_q = rotary_embedding(by_head(q), cosines, sines, position);
  const auto turned_k = rotary_embedding(by_head(k), cosines, sines, position);
  const auto a = attention(turned_q, turned_k, by_head(v), {}, past_k, past_v, {}, {.is_causal = true});
  const tensor<float, "batch"_d, heads, "past"_d + "time"_d, size> keys = a.present_key;
  output(reshape<"batch"_d, "time"_d, heads * size>(transpose<0, 2, 1, 3>(a.y)), "y");
  output(keys, "keys");
  output(a.present_value, "values");
  write_model(g, folder / "kv_cache_step.onnx");
}

// The program sends every token to its two best experts and mixes their results.
PROGRAM(mixture_of_experts) {
  constexpr std::int64_t experts = 4, width = 6, inner = 5;
  graph g(23);
  const auto x = input<float, "tokens"_d, width>(g, "x");
  const auto [best, which] = top_k<2>(matmul(x, weight<width, experts>(g, "router", 1)));
  const auto shares = softmax<-1>(best);
  const auto chosen = one_hot(which, experts, constant<float, 2>(g, {0, 1}));
  const auto weights = reduce_sum<1>(tensor<float, "tokens"_d, 2, experts>(value(chosen)) * unsqueeze<2>(shares));
  const auto up = weight<experts, width, inner>(g, "up", 0.4, 3);
  const auto down = weight<experts, inner, width>(g, "down", 0.4, 5);
  const auto hidden = gelu(einsum<"td,edf->tef">(x, up));
  const tensor<float, "tokens"_d, width> y = einsum<"te,tef,efd->td">(weights, hidden, down);
  output(y + x, "y");
  output(reduce_sum<0>(weights), "load");
  write_model(g, folder / "mixture_of_experts.onnx");
}

// The program builds an encoder layer for sizes that are known when the model runs, with erased handles throughout.
PROGRAM(encoder_layer) {
  const std::int64_t heads = 2, width = 8;
  graph g(23);
  const dim batch = g.dims().symbol("batch"), time = g.dims().symbol("time");
  const value x = g.input({dtype::f32, {batch, time, width}}, "x");
  const value lengths = g.input({dtype::i64, {batch}}, "lengths");
  const value n = layer_normalization(x, weight(g, {width}, 1), weight(g, {width}, 0.1, 1));
  const auto project = [&](const value& h, std::int64_t seed) {
    return matmul(h, weight(g, {width, width}, 0.4, seed));
  };
  const value places = range(dim_scalar(g, 0), dim_scalar(g, time), dim_scalar(g, 1));
  const value seen = less(places, unsqueeze(lengths, {1}));
  const value mask = and_(unsqueeze(unsqueeze(seen, {1}), {1}), unsqueeze(places, {1}) >= 0);
  const auto a = attention({.q = project(n, 1), .k = project(n, 2), .v = project(n, 3), .attn_mask = mask},
                           {.q_num_heads = heads, .kv_num_heads = heads, .softcap = 5.0f});
  const value h = x + a.y;
  const value m = rms_normalization(h, weight(g, {width}, 1, 2), {.epsilon = 1e-6f});
  const value up = gemm(reshape(m, {-1, width}), weight(g, {16, width}, 0.3), weight(g, {16}, 0.1), {.transB = true});
  const value down = matmul(hard_swish(up), weight(g, {16, width}, 0.3, 7));
  output(h + reshape(down, shape_value(g, {batch, time, width})), "y");
  write_model(g, folder / "encoder_layer.onnx");
}
