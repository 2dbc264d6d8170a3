// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/views/split.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::operators;

TEST_CASE("split_of: where each part begins") {
  graph g;
  const value x = g.input({dtype::f32, {2, 6}}, "x");
  const auto parts =
      g.emit_many("Split", std::vector{x, int64s(g, {1, 5})},
                  std::vector<tensor_type>{{dtype::f32, {2, 1}}, {dtype::f32, {2, 5}}}, {{"axis", std::int64_t{-1}}});
  REQUIRE(split_of(parts[0]));
  CHECK(split_of(parts[0])->first == 0);
  CHECK(split_of(parts[1])->first == 1);
  CHECK(split_of(parts[1])->axis == 1);
  CHECK(same_value(split_of(parts[1])->x, x));
  CHECK_FALSE(split_of(x));
}

TEST_CASE("split_of: nullopt for the parts after one of a symbolic extent") {
  graph g;
  const dim n = g.dims().parse("N");
  const value x = g.input({dtype::f32, {g.dims().mul(n, 2)}}, "x");
  const auto parts =
      g.emit_many("Split", std::vector{x}, std::vector<tensor_type>{{dtype::f32, {n}}, {dtype::f32, {n}}},
                  {{"num_outputs", std::int64_t{2}}});
  CHECK(split_of(parts[0])->first == 0);
  CHECK_FALSE(split_of(parts[1]));
}
