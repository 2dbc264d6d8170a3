// SPDX-License-Identifier: Apache-2.0
// Logical operators need bools.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, 3>(g, "x");
  const auto b = input<bool, 3>(g, "b");
  (void)(x && b);
}
