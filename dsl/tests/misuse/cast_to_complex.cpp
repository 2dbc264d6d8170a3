// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const auto y = cast<complex64>(x);
}
