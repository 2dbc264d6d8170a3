// SPDX-License-Identifier: Apache-2.0
// One set of options and weights, and one model, used by several threads at once. The header compiles as C++.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <jax2onnx/jax2onnx.h>

namespace {

std::string reported(const jax2onnx_model* model) {
  char* text = nullptr;
  if (jax2onnx_model_report(model, "json", &text, nullptr, nullptr) != JAX2ONNX_OK) return {};
  std::string copy(text);
  jax2onnx_free(text);
  return copy;
}

std::string encoded(const jax2onnx_model* model) {
  void* data = nullptr;
  std::size_t size = 0;
  if (jax2onnx_model_encode(model, &data, &size, nullptr) != JAX2ONNX_OK) return {};
  std::string bytes(static_cast<const char*>(data), size);
  jax2onnx_free(data);
  return bytes;
}

}  // namespace

int main() {
  const std::string text = "{ lambda w:f32[2]; a:f32[2]. let b:f32[2] = mul a w in (b,) }";
  const float w[] = {1, 2};
  const std::int64_t shape[] = {2};
  jax2onnx_options* options = jax2onnx_options_new();
  jax2onnx_weights* weights = jax2onnx_weights_new();
  jax2onnx_model* shared = nullptr;
  if (jax2onnx_weights_add(weights, nullptr, "f32", shape, 1, w, sizeof w, nullptr) != JAX2ONNX_OK ||
      jax2onnx_convert(text.data(), text.size(), weights, options, &shared, nullptr) != JAX2ONNX_OK)
    return EXIT_FAILURE;
  const std::string expected = encoded(shared), described = reported(shared);
  std::vector<int> failed(4);
  std::vector<std::thread> threads;
  for (int& count : failed)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        jax2onnx_model* own = nullptr;
        jax2onnx_error* error = nullptr;
        count += jax2onnx_convert(text.data(), text.size(), weights, options, &own, nullptr) != JAX2ONNX_OK;
        count += encoded(own) != expected || encoded(shared) != expected || reported(shared) != described;
        count += jax2onnx_convert("{", 1, weights, options, &own, &error) != JAX2ONNX_MALFORMED;
        jax2onnx_error_free(error);
        jax2onnx_model_free(own);
      }
    });
  for (std::thread& t : threads) t.join();
  jax2onnx_model_free(shared);
  jax2onnx_weights_free(weights);
  jax2onnx_options_free(options);
  for (const int count : failed)
    if (count > 0) return std::puts("threads disturb each other"), EXIT_FAILURE;
  return expected.empty() || described.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}
