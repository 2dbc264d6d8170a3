// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

int main() {
  graph g;
  const value a = g.input({dtype::f32, {2}}, "a");
  sequence_map(sequence_construct({a, a}), [](const value& x, const value& y) { return x + y; });
}
