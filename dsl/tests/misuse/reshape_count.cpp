// SPDX-License-Identifier: Apache-2.0
// The number of elements must not change.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, 784>(g, "x");
  (void)(reshape<28, 27>(x));
}
