// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"

#include <jax2onnx/weights/npz.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read(data, size, [](const auto& file) { return jax2onnx::detail::read_npz(file); });
  return 0;
}
