// SPDX-License-Identifier: Apache-2.0
// A number with a fraction cannot be combined with integers.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto i = input<std::int32_t, 3>(g, "i");
  (void)(i * 0.5);
}
