// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  while_(
      x, [](auto now, auto) { return reduce_max<0, 1>(now) > 1; }, [](auto now) { return now; });
}
