// SPDX-License-Identifier: Apache-2.0
// The inner extents must be equal.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  const auto w = input<float, 783, 10>(g, "w");
  (void)(matmul(x, w));
}
