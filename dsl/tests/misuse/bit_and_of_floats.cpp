// SPDX-License-Identifier: Apache-2.0
// Bitwise operators need integers.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, 3>(g, "x");
  (void)(x & x);
}
