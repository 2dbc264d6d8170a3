// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <type_traits>

#include <jax2onnx/ops/call/flag.hpp>

using jax2onnx::flag;

TEST_CASE("flag: truth values, and constants 0 and 1") {
  STATIC_REQUIRE(flag(true));
  STATIC_REQUIRE(!flag(false));
  STATIC_REQUIRE(!flag());
  STATIC_REQUIRE(flag(1));
  STATIC_REQUIRE(!flag(0));
  const bool known = true;
  CHECK(flag(known));
}

TEST_CASE("flag: no real numbers") { STATIC_REQUIRE(!std::is_constructible_v<flag, double>); }
