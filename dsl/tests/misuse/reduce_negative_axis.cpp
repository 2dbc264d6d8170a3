// SPDX-License-Identifier: Apache-2.0
// Negative axes count from the end and must be in range.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  (void)(reduce_sum<-3>(x));
}
