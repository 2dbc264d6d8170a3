// SPDX-License-Identifier: Apache-2.0
// Square roots need floats.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto i = input<std::int64_t, 3>(g, "i");
  (void)(sqrt(i));
}
