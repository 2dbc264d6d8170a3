// SPDX-License-Identifier: Apache-2.0
// A symbol is not known to equal a number.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "batch"_d, 784>(g, "x");
  const auto y = input<float, 32, 784>(g, "y");
  (void)(x * y);
}
