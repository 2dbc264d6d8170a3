// SPDX-License-Identifier: Apache-2.0
// Bools are not numbers.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto b = input<bool, 3>(g, "b");
  (void)(b + 1);
}
