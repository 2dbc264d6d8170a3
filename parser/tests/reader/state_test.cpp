// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/state.hpp>

using jaxpr::reader::nested;

TEST_CASE("state: nesting is counted and limited") {
  reading r("x", {.max_depth = 2});
  {
    const nested first(r.s);
    {
      const nested second(r.s);
      CHECK(r.s.depth == 2);
      CHECK(code_of([&] { const nested third(r.s); }) == "parse.limit-depth");
    }
    CHECK(r.s.depth == 1);
  }
  CHECK(r.s.depth == 0);
  CHECK(r.s.deepest == 2);
}

TEST_CASE("state: types are read at the cursor") {
  reading r("f32[2] f32[2] i32[]");
  const jaxpr::type* first = jaxpr::reader::parse_type(r.s);
  r.s.in.skip_blanks();
  CHECK(jaxpr::reader::parse_type(r.s) == first);
  CHECK(r.rest() == " i32[]");
}
