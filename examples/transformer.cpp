// SPDX-License-Identifier: Apache-2.0
// One step of a decoder's block with rotary embeddings and a cache of keys and values: transformer OUT.onnx
//
// The batch, the number of new tokens and that of cached ones are open. The compiler knows every type; a line that does
// not fit does not compile.

#include <cstdlib>
#include <utility>
#include <vector>

#include <jax2onnx/dsl.hpp>
#include <jax2onnx/emit/model.hpp>

using namespace jax2onnx;

constexpr std::int64_t heads = 4, head_size = 16, width = heads * head_size;
constexpr extent batch = "batch"_d, tokens = "tokens"_d, cached = "cached"_d;

template <extent... E>
auto weight(graph& g, const char* name) {
  std::vector<float> numbers((static_cast<std::size_t>(E.size) * ...), 0.02f);
  return constant<float, E...>(g, std::move(numbers), name);
}

/// [batch, tokens, width] -> [batch, heads, tokens, head_size]
template <class X>
auto by_head(const X& x) {
  return transpose<0, 2, 1, 3>(reshape<batch, tokens, heads, head_size>(x));
}

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  graph g;
  const auto x = input<float, batch, tokens, width>(g, "x");
  const auto position = input<std::int64_t, batch, tokens>(g, "position");
  const auto cosines = input<float, 512, head_size / 2>(g, "cosines"),
             sines = input<float, 512, head_size / 2>(g, "sines");
  const auto old_keys = input<float, batch, heads, cached, head_size>(g, "old_keys");
  const auto old_values = input<float, batch, heads, cached, head_size>(g, "old_values");

  const auto n = rms_normalization(x, weight<width>(g, "scale_1"), {.epsilon = 1e-6f});
  const auto [q, k, v] = split<-1, 3>(matmul(n, weight<width, 3 * width>(g, "w_qkv")));
  const auto queries = rotary_embedding(by_head(q), cosines, sines, position);
  const auto keys = rotary_embedding(by_head(k), cosines, sines, position);
  const auto a = attention(queries, keys, by_head(v), {}, old_keys, old_values, {}, {.is_causal = true});
  const auto mixed = reshape<batch, tokens, width>(transpose<0, 2, 1, 3>(a.y));
  const auto h = x + matmul(mixed, weight<width, width>(g, "w_out"));

  const auto m = rms_normalization(h, weight<width>(g, "scale_2"), {.epsilon = 1e-6f});
  const auto gate = matmul(m, weight<width, 4 * width>(g, "w_gate"));
  const auto up = matmul(m, weight<width, 4 * width>(g, "w_up"));
  const tensor<float, batch, tokens, width> y =
      h + matmul(gate * sigmoid(gate) * up, weight<4 * width, width>(g, "w_down"));

  output(y, "y");
  output(tensor<float, batch, heads, cached + tokens, head_size>(a.present_key), "keys");
  output(tensor<float, batch, heads, cached + tokens, head_size>(a.present_value), "values");
  write_model(g, {}, std::filesystem::path(argv[1]));
}
