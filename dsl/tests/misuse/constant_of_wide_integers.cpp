// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const auto w = constant<int4, 3>(g, std::vector<int>{1, 2, 3});
}
