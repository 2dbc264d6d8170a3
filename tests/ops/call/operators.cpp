// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/ops/call/operators.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("operators: erased values and numbers on either side") {
  graph g;
  const value x = g.input({dtype::f32, {g.dims().symbol("B"), 4}}, "x");
  CHECK(text(1.0 - x) == "f32[B,4]");
  CHECK(text(-x * 2 + x / 3.0) == "f32[B,4]");
  CHECK(text(x > 0) == "bool[B,4]");
  CHECK(text(0.5 <= x) == "bool[B,4]");
  CHECK(std::get<std::int64_t>(g.at(g.at((x % 2).id()).producer).find("fmod")->value) == 1);
}

TEST_CASE("operators: what does not fit throws") {
  graph g, other;
  const value x = g.input({dtype::f32, {3}}, "x"), i = g.input({dtype::i32, {3}}, "i"),
              b = g.input({dtype::boolean, {3}}, "b");
  CHECK_THROWS_AS(i * 0.5, build_error);
  CHECK_THROWS_AS(b + 1, build_error);
  CHECK_THROWS_AS(-b, build_error);
  CHECK_THROWS_AS(x + i, build_error);
  CHECK_THROWS_AS(x + g.input({dtype::f32, {4}}, "y"), build_error);
  CHECK_THROWS_AS(x + other.input({dtype::f32, {3}}, "z"), build_error);
}
