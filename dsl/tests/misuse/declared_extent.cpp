// SPDX-License-Identifier: Apache-2.0
// A declared extent must match the result's.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 10>(g, "x");
  const tensor<float, "B"_d, 11> y = softmax<1>(x);
}
