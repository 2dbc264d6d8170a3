// SPDX-License-Identifier: Apache-2.0
// Errors that follow from another one give no further messages.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  const auto w = input<float, 783, 10>(g, "w");
  const auto h = matmul(x, w);
  (void)(softmax<1>(relu(h) * 0.5 + layer_normalization(x, h)));
}
