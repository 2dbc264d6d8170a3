// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/ops/checked.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("checked: the shape, or an error that names operator and operands") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), y = g.input({dtype::i32, {3}}, "y");
  CHECK(detail::checked("Op", {{4}}, {x}) == shape{4});
  CHECK_THROWS_WITH(detail::checked("Op", infer::fail("no"), {x, y}), "Op(f32[2], i32[3]): no");
  CHECK_NOTHROW(detail::require_same_dtype("Op", x, x));
  CHECK_THROWS_WITH(detail::require_same_dtype("Op", x, y), "Op(f32[2], i32[3]): the dtypes differ");
}
