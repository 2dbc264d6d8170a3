// SPDX-License-Identifier: Apache-2.0
// The scale must broadcast to x.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, "T"_d, 512>(g, "x");
  const auto scale = input<float, 511>(g, "scale");
  (void)(layer_normalization(x, scale));
}
