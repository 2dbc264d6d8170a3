// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/views/transpose.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::operators;

TEST_CASE("transpose_of: the permutation, or the axes reversed") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3, 4}}, "x");
  CHECK(transpose_of(transpose(x, {1, 0, 2})) == ints{1, 0, 2});
  CHECK(transpose_of(g.emit("Transpose", {x}, {dtype::f32, {4, 3, 2}})) == ints{2, 1, 0});
  CHECK_FALSE(transpose_of(x));
  CHECK_FALSE(transpose_of(exp(x)));
}
