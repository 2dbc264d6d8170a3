// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <limits>

#include <jaxpr/reader/scalar.hpp>

using namespace jaxpr::reader;
using kind = jaxpr::value::kind;

TEST_CASE("scalar: integers keep 64 bits, larger ones stay text") {
  jaxpr::value v;
  CHECK(set_number(v, "-9223372036854775808"));
  CHECK(v.tag == kind::integer);
  CHECK(v.integer == std::numeric_limits<std::int64_t>::min());
  CHECK(set_number(v, "9223372036854775808"));
  CHECK(v.tag == kind::raw);
  CHECK(!set_number(v, "1j"));
  CHECK(!set_number(v, "1 2"));
}

TEST_CASE("scalar: the cursor moves past a number or a string") {
  reading number("2.5, x"), text("'a b' c"), open("'a");
  jaxpr::value v;
  CHECK(parse_number(number.s, v));
  CHECK(v.floating == 2.5);
  CHECK(number.rest() == ", x");
  CHECK(parse_string(text.s, v));
  CHECK(v.tag == kind::string);
  CHECK(text.rest() == " c");
  CHECK(!parse_string(open.s, v));
}
