// SPDX-License-Identifier: Apache-2.0
// K is larger than the extent of 3.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 3>(g, "x");
  (void)(top_k<9>(x));
}
