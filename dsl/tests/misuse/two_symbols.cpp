// SPDX-License-Identifier: Apache-2.0
// Different symbols may differ.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  const auto y = input<float, "T"_d, 784>(g, "y");
  (void)(x + y);
}
