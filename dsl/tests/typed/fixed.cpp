// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/fixed.hpp>

using namespace jax2onnx;

TEST_CASE("fixed: attributes as template arguments") {
  constexpr fixed_integers two{2, 3};
  STATIC_REQUIRE(two.list()[1] == 3);
  CHECK(two.vector() == ints{2, 3});
  STATIC_REQUIRE(fixed_string("NHWC").view() == "NHWC");
  STATIC_REQUIRE(fixed_required<fixed_integers>{fixed_integers{1}}.value.size == 1);
  STATIC_REQUIRE(!fixed_optional<std::int64_t>().get());
  STATIC_REQUIRE(*fixed_optional<std::int64_t>(4).get() == 4);
}
