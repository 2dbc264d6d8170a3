// SPDX-License-Identifier: Apache-2.0
// Pooling needs images.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  (void)(max_pool(x, {.kernel_shape = {2}}));
}
