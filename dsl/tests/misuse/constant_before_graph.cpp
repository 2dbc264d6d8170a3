// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const std::vector<float> numbers(4);
  const auto w = constant<float, 4>(numbers, g, "w");
}
