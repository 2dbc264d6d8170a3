// SPDX-License-Identifier: Apache-2.0
// The bias must have one element for each channel.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto image = input<float, "N"_d, 3, 224, 224>(g, "image");
  const auto kernel = input<float, 16, 3, 3, 3>(g, "kernel");
  const auto bias = input<float, 15>(g, "bias");
  (void)(conv(image, kernel, bias, {.strides = {2, 2}}));
}
