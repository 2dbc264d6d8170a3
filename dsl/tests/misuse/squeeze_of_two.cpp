// SPDX-License-Identifier: Apache-2.0
// Only an extent of 1 can be removed.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 2>(g, "x");
  (void)(squeeze<1>(x));
}
