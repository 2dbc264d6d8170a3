// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/extent.hpp>
#include <jax2onnx/dsl/typed/literal.hpp>

using namespace jax2onnx;

TEST_CASE("extent: a number, a name or unknown, as a dim") {
  CHECK(dim(extent(784)) == dim(784));
  CHECK(dim("B"_d) == dim::symbol("B"));
  CHECK(dim(dyn).is_dyn());
  CHECK("batch_of_a_length_that_needs_no_abbreviation"_d.name() == "batch_of_a_length_that_needs_no_abbreviation");
  STATIC_REQUIRE("B"_d.is_symbolic());
  STATIC_REQUIRE(dyn.is_dyn());
  STATIC_REQUIRE(extent(-1).is_constant());
}

TEST_CASE("extent: names have no operators") {
  STATIC_REQUIRE(detail::is_symbol_name("seq-len"));
  STATIC_REQUIRE_FALSE(detail::is_symbol_name("2B"));
  STATIC_REQUIRE_FALSE(detail::is_symbol_name("a b"));
  STATIC_REQUIRE_FALSE(detail::is_symbol_name("a*b"));
  STATIC_REQUIRE_FALSE(detail::is_symbol_name(""));
}
