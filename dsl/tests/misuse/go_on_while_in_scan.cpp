// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const auto [last, all] = scan(x, x, [](auto c, auto) { return go_on_while(reduce_max<0, 1>(c) < 3, c); });
}
