// SPDX-License-Identifier: Apache-2.0
// Operands must have the same element type.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, 3>(g, "x");
  const auto y = input<double, 3>(g, "y");
  (void)(x - y);
}
