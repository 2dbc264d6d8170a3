// SPDX-License-Identifier: Apache-2.0
// An ONNX file becomes a graph, which is optimized and written, or is refused.

#include "model_mutation.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The new size; 0 if the model is empty or does not fit.
std::size_t store(const std::string& model, std::uint8_t* out, std::size_t max_size) {
  if (model.size() > max_size) return 0;
  std::memcpy(out, model.data(), model.size());
  return model.size();
}

/// Runs `f`, which may refuse its input, but not with an internal error.
template <class F>
void attempt(const F& f) {
  try {
    f();
  } catch (const jax2onnx::error& e) {
    if (e.kind() == jax2onnx::failure::internal) __builtin_trap();
  }
}

void write(const jax2onnx::model& m) {
  std::ostringstream out;
  jax2onnx::emit_options options = m.envelope;
  options.max_bytes = std::uint64_t{1} << 24;
  jax2onnx::write_model(m.graph, options, out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr jax2onnx::graph_limits limits{.nodes = 2000, .bytes = 1 << 24, .terms = 100'000};
  attempt([&] {
    jax2onnx::model m = jax2onnx::read_model_bytes({reinterpret_cast<const char*>(data), size}, {.limits = limits});
    write(m);
    jax2onnx::optimize(m.graph, {});
    write(m);
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const std::string_view model = view(data, size);
  const fuzz::way how = seed % 8 == 0 ? fuzz::way::operators : fuzz::way::fields;
  const std::size_t stored = seed % 4 == 1 ? 0 : store(fuzz::changed(model, model, how, seed), data, max_size);
  return stored ? stored : LLVMFuzzerMutate(data, size, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned seed) {
  return store(fuzz::changed(view(first, first_size), view(second, second_size), fuzz::way::fields, seed), out,
               max_size);
}
