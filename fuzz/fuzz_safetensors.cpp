#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read(data, size,
             [](const auto& file) { return in_constvar_order(jax2onnx::read_safetensors(file), file->site()); });
  return 0;
}
