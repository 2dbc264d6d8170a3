// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/operators/views/reduction.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::operators;

TEST_CASE("reduction_of: axes are ascending and counted from the front, in both forms") {
  for (const int opset : {17, 23}) {
    graph g(opset);
    const value x = g.input({dtype::f32, {2, 3, 4}}, "x");
    CHECK(reduction_of(reduce("ReduceMax", x, {2, 0}, true)) == reduction{{0, 2}, true});
    CHECK(reduction_of(reduce("ReduceSum", x, {1}, false)) == reduction{{1}, false});
    CHECK_FALSE(reduction_of(exp(x)));
    CHECK_FALSE(reduction_of(x));
  }
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  CHECK(reduction_of(g.emit("ReduceSum", {x, int64s(g, {-1})}, {dtype::f32, {2, 1}})) == reduction{{1}, true});
  CHECK_FALSE(reduction_of(g.emit("ReduceSum", {x}, {dtype::f32, {1, 1}})));
}
