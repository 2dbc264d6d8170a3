// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/comments.hpp>

TEST_CASE("comments: skip collects comment lines and says whether a line ended") {
  reading r("  # a \n#b\n x");
  CHECK(jaxpr::reader::skip(r.s));
  CHECK(r.rest() == "x");
  REQUIRE(r.s.remarks.open.size() == 2);
  CHECK(r.s.remarks.open[0] == "a");
  CHECK(jaxpr::reader::join_lines(r.s, r.s.remarks.open, 0) == "a\nb");
  CHECK(r.s.remarks.open.empty());
  reading same_line("  x");
  CHECK(!jaxpr::reader::skip(same_line.s));
}

TEST_CASE("comments: comments after a one-line body belong to the last equation of the body") {
  reading r("# late\n");
  jaxpr::equation e;
  e.annotation = "early";
  r.s.remarks.late_owner = &e;
  r.s.remarks.late_line = r.s.in.line;
  (void)jaxpr::reader::skip(r.s);
  jaxpr::reader::settle_comments(r.s);
  CHECK(e.annotation == "early\nlate");
  CHECK(r.s.remarks.late.empty());
  CHECK(r.s.remarks.late_owner == nullptr);
}
