// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jaxpr/detail/text.hpp>

TEST_CASE("text: concat joins its parts") {
  CHECK(jaxpr::detail::concat({}).empty());
  CHECK(jaxpr::detail::concat({"a", "", "bc"}) == "abc");
}

TEST_CASE("text: hexadecimal digits with leading zeros") {
  CHECK(jaxpr::detail::hex(0) == "0");
  CHECK(jaxpr::detail::hex(0x1b, 2) == "1b");
  CHECK(jaxpr::detail::hex(0xa, 2) == "0a");
  CHECK(jaxpr::detail::hex(0x202e) == "202e");
}
