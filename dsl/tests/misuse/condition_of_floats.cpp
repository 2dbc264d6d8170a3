// SPDX-License-Identifier: Apache-2.0
// A condition must be bool.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  (void)(where(x, x, x));
}
