// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <array>

#include <jax2onnx/ops/math.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("polynomial: Horner's rule") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x");
  polynomial(x, std::array{1.0, 2.0, 3.0});
  CHECK(op_list(g) == op_names{"Add", "Mul", "Add"});  // (x + 2) x + 3
  CHECK(same_value(polynomial(x, std::array{5.0}), scalar(g, dtype::f32, 5.0)));
}

TEST_CASE("hypot: float goes through double") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x"), d = g.input({dtype::f64, {}}, "d");
  CHECK(op_of(hypot(x, x)) == "Cast");
  CHECK(op_of(hypot(d, d)) == "Mul");
}

TEST_CASE("power_by_squaring: as many products as the exponent has digits and ones") {
  graph g;
  const value x = g.input({dtype::i32, {}}, "x");
  CHECK(same_value(power_by_squaring(x, 1), x));
  const value one = power_by_squaring(x, 0);
  REQUIRE(one);
  CHECK(one.dtype() == dtype::i32);
  CHECK(raw(one) == std::string("\1\0\0\0", 4));
  power_by_squaring(x, 10);
  CHECK(op_list(g).size() == 4);  // x^2, x^4, x^8, and x^2 x^8
  CHECK(pow(x, 2).dtype() == dtype::i32);
}
