// SPDX-License-Identifier: Apache-2.0
// Relu needs numbers.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto b = input<bool, "B"_d, 3>(g, "b");
  (void)(relu(b));
}
