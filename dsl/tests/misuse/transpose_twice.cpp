// SPDX-License-Identifier: Apache-2.0
// A permutation must have each axis once.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  (void)(transpose<0, 0>(x));
}
