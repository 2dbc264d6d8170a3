// SPDX-License-Identifier: Apache-2.0
// The equation must have a letter for each axis.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 3>(g, "x");
  (void)(einsum<"ijk->ij">(x));
}
