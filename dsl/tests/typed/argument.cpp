// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/argument.hpp>

using namespace jax2onnx;

using x = tensor<float, "B"_d, 4>;

TEST_CASE("argument: the operands that typed verbs accept") {
  STATIC_REQUIRE(typed_arguments<x, double, absent, ints>);
  STATIC_REQUIRE(typed_arguments<double, x>);
  STATIC_REQUIRE_FALSE(typed_arguments<double, int>);
  STATIC_REQUIRE_FALSE(typed_arguments<x, value>);
  STATIC_REQUIRE_FALSE(typed_operands<double, x>);
  STATIC_REQUIRE_FALSE(all_typed<x, double>);
}

TEST_CASE("argument: the compiler knows types, extents and integers of operands") {
  using enum known_operand::form;
  STATIC_REQUIRE(detail::argument<x>::known().shape.size == 2);
  STATIC_REQUIRE(detail::argument<x>::known().shape.extents[1] == extent(4));
  STATIC_REQUIRE(detail::argument<bool>::known().is == truth);
  STATIC_REQUIRE(detail::argument<int>::known().is == integer);
  STATIC_REQUIRE(detail::argument<float>::known().is == real);
  STATIC_REQUIRE(detail::argument<ints>::known().count == -1);
  STATIC_REQUIRE(detail::argument<std::array<std::int64_t, 3>>::known().count == 3);
  STATIC_REQUIRE(detail::argument<known_integers<2, "B"_d>>::known().numbers.extents[1] == "B"_d);
}

TEST_CASE("as_operand: the operands that erased verbs get") {
  CHECK_FALSE(as_operand(absent()));
  CHECK(std::get<double>(as_operand(0.5).get()) == 0.5);
  CHECK(std::get<ints>(as_operand(known_integers<2, 3>()).get()) == ints{2, 3});
  CHECK(std::get<ints>(as_operand(std::array<std::int64_t, 1>{4}).get()) == ints{4});
}
