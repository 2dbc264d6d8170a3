// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  auto [last, all] = loop(3, x, [](const auto&, const auto& a) { return std::pair(a, a); });
}
