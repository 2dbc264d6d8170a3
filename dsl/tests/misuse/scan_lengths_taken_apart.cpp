// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const auto carried = input<float>(g, "c");
  const auto a = input<float, 5>(g, "a");
  const auto b = input<float, 6>(g, "b");
  const auto [last, all] = scan(carried, std::tuple(a, b), [](auto c, auto p, auto) { return std::pair(c, p); });
}
