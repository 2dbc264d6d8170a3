// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/extent_math.hpp>
#include <jax2onnx/dsl/typed/literal.hpp>

using namespace jax2onnx;

TEST_CASE("extents: arithmetic gives normal forms") {
  STATIC_REQUIRE("B"_d * 2 == extent("2*B"));
  STATIC_REQUIRE(1 + "B"_d * 2 == extent("2*B + 1"));
  STATIC_REQUIRE(("T"_d - 1) * ("B"_d + 1) == extent("B*T - B + T - 1"));
  STATIC_REQUIRE("B"_d * "B"_d * 3 - "B"_d == extent("3*B^2 - B"));
  STATIC_REQUIRE("B"_d * "B"_d * "B"_d == extent("B^3"));
  STATIC_REQUIRE("B"_d - "B"_d == extent(0));
  STATIC_REQUIRE((1 - "B"_d) + "B"_d == extent(1));
  STATIC_REQUIRE(("B"_d * 4 + 8) / 4 == "B"_d + 2);
  STATIC_REQUIRE(("B"_d / 2).is_dyn());
  STATIC_REQUIRE(("B"_d + dyn).is_dyn());
}

TEST_CASE("extents: the graph's table has the same normal form") {
  const extent all[] = {
      "B"_d * 2, "T"_d + 1, ("T"_d - 1) * ("B"_d + 1), "B"_d * "B"_d * 3 - "B"_d, "B1"_d * "B"_d * "B"_d + "B10"_d - 7,
      0 - "T"_d};
  for (const extent& e : all) {
    dim_table table;
    const dim d = in_table(table, e);
    CHECK(table.text(d) == e.name());
    CHECK(d == dim(e));
  }
  dim_table table;
  CHECK(in_table(table, 784) == dim(784));
  CHECK(in_table(table, dyn).is_dyn());
}

TEST_CASE("extents: a polynomial that is too long is unknown") {
  constexpr extent a("a_name_of_forty_characters_______________");
  STATIC_REQUIRE((a + extent("another_name_of_forty_characters________")).is_dyn());
}
