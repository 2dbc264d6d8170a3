// SPDX-License-Identifier: Apache-2.0
// Indices must be integers.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  const auto i = input<float, 3>(g, "i");
  (void)(gather<0>(x, i));
}
