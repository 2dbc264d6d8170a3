// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string_view>

#include <jax2onnx/dsl/typed/literal.hpp>

using namespace jax2onnx;

namespace {

template <detail::literal_text Text>
constexpr bool says(std::string_view wanted) {
  const auto problem = detail::dimension_name<Text>::problem();
  return std::string_view(problem.data, problem.size) == wanted;
}

}  // namespace

TEST_CASE("literal: a name of a dimension") {
  STATIC_REQUIRE("batch"_d == extent("batch"));
  STATIC_REQUIRE("batch"_d.is_symbolic());
  STATIC_REQUIRE(says<"batch">(""));
  STATIC_REQUIRE(says<"2 B">("_d: '2 B' begins as a number or has blanks or operators"));
  STATIC_REQUIRE(says<"">("_d: '' is not a name of 1 to 63 characters"));
}
