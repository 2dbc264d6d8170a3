// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jaxpr/detail/order.hpp>

TEST_CASE("order: least and greatest") {
  STATIC_REQUIRE(jaxpr::detail::least(2, 3) == 2);
  STATIC_REQUIRE(jaxpr::detail::least(3, 2) == 2);
  STATIC_REQUIRE(jaxpr::detail::greatest(2, 3) == 3);
  STATIC_REQUIRE(jaxpr::detail::greatest(3, 2) == 3);
}
