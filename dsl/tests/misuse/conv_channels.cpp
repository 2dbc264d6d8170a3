// SPDX-License-Identifier: Apache-2.0
// The kernel must match the number of channels.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto image = input<float, "N"_d, 3, 224, 224>(g, "image");
  const auto kernel = input<float, 16, 4, 3, 3>(g, "kernel");
  (void)(conv(image, kernel));
}
