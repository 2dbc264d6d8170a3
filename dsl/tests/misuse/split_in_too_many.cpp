// SPDX-License-Identifier: Apache-2.0
// Three elements cannot be split into five parts.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 3>(g, "x");
  (void)(split<1, 5>(x));
}
