// SPDX-License-Identifier: Apache-2.0
// Only an extent of 1 can be repeated.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, 2>(g, "x");
  (void)(expand<5, 3>(x));
}
