// SPDX-License-Identifier: Apache-2.0
// B and T may differ.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  (void)(reshape<"T"_d, 784>(x));
}
