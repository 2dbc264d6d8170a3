// SPDX-License-Identifier: Apache-2.0
// All operands must have the same rank.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  const auto y = input<float, "B"_d>(g, "y");
  (void)(concat<0>(x, y));
}
