// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jaxpr/reader/conventions.hpp>

using namespace jaxpr::reader;

TEST_CASE("conventions: the leading operands follow the head, the others the tail") {
  STATIC_REQUIRE(rule_of("select_n", 0) == operand_rule::boolean);
  STATIC_REQUIRE(rule_of("select_n", 1) == operand_rule::result);
  STATIC_REQUIRE(rule_of("dynamic_update_slice", 1) == operand_rule::result);
  STATIC_REQUIRE(rule_of("dynamic_update_slice", 2) == operand_rule::index);
  STATIC_REQUIRE(rule_of("gt", 1) == operand_rule::operand);
}

TEST_CASE("conventions: scatters have an index, other primitives follow the result") {
  STATIC_REQUIRE(rule_of("scatter-add", 1) == operand_rule::index);
  STATIC_REQUIRE(rule_of("scatter", 2) == operand_rule::result);
  STATIC_REQUIRE(rule_of("add", 0) == operand_rule::result);
}

TEST_CASE("conventions: each primitive has one row") {
  for (const operand_convention& a : conventions) {
    int rows = 0;
    for (const operand_convention& b : conventions) rows += a.primitive == b.primitive;
    CHECK(rows == 1);
  }
}

TEST_CASE("conventions: a comparison and a conversion do not keep the dtype") {
  STATIC_REQUIRE(keeps_dtype("neg"));
  STATIC_REQUIRE(!keeps_dtype("eq"));
  STATIC_REQUIRE(!keeps_dtype("convert_element_type"));
}
