// SPDX-License-Identifier: Apache-2.0
// Heads of queries and keys must have the same size.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(graph& g) {
  const auto q = input<float, "B"_d, 8, "T"_d, 64>(g, "q");
  const auto k = input<float, "B"_d, 8, "T"_d, 32>(g, "k");
  (void)(attention(q, k, k));
}
