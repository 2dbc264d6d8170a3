// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/checkpoint.hpp>

TEST_CASE("checkpoint: restore returns to the position and drops what was pushed since") {
  reading r("abc def");
  r.s.values.push({});
  const jaxpr::reader::checkpoint start(r.s);
  r.s.in.advance(4);
  r.s.values.push({});
  r.s.keywords.push({});
  r.s.remarks.open.push("c");
  CHECK(!start.passed_body(r.s));
  ++r.s.bodies;
  CHECK(start.passed_body(r.s));
  start.restore(r.s);
  CHECK(r.rest() == "abc def");
  CHECK(start.begin() == r.text.data());
  CHECK(r.s.values.size() == 1);
  CHECK(r.s.keywords.empty());
  CHECK(r.s.remarks.open.empty());
}

TEST_CASE("checkpoint: comments whose owner has changed since are dropped") {
  reading r("");
  jaxpr::equation e;
  const jaxpr::reader::checkpoint start(r.s);
  r.s.remarks.late_owner = &e;
  r.s.remarks.late.push("c");
  start.restore(r.s);
  CHECK(r.s.remarks.late_owner == nullptr);
  CHECK(r.s.remarks.late.empty());
}
