// SPDX-License-Identifier: Apache-2.0
// The axis is out of range: there are two axes.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  (void)(softmax<2>(x));
}
