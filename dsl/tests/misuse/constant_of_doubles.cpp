// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const auto w = constant<float, 4>(g, std::vector<double>{1, 2, 3, 4}, "w");
  output(relu(w), "y");
}
