// SPDX-License-Identifier: Apache-2.0
// Extents along other axes must be equal.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  const auto y = input<float, "B"_d, 10>(g, "y");
  (void)(concat<0>(x, y));
}
