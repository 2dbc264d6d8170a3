// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/names.hpp>

using namespace jaxpr::reader;

TEST_CASE("names: the name of a let is any text of its line") {
  CHECK(let_name("let f = { lambda ; .", 100) == "f");
  CHECK(let_name("let a [b] = 3, c = { lambda ; .", 100) == "a [b] = 3, c");
  CHECK(let_name("let a\n = { lambda", 100).empty());
  CHECK(let_name("let a = 3", 100).empty());
  CHECK(let_name("lets = { lambda", 100).empty());
  CHECK(let_name("let " + std::string(50, 'x') + " = { lambda", 10).empty());
}

TEST_CASE("names: a let starts a line or an argument") {
  CHECK(may_precede_let(""));
  CHECK(may_precede_let("in\n  "));
  CHECK(may_precede_let("f(jaxpr="));
  CHECK(may_precede_let("(a, "));
  CHECK(!may_precede_let(". "));
}

TEST_CASE("names: the longest name that matches wins") {
  reading r("let a b = { lambda\nlet a b c = { lambda\nlet f = { lambda\n");
  collect_names(r.s);
  CHECK(r.s.known_names.contains("f"));
  REQUIRE(r.s.odd_names.size() == 2);
  CHECK(r.s.odd_names[0] == "a b c");
  r.s.in = cursor("a b c]");
  CHECK(scan_odd_name(r.s) == "a b c");
  r.s.in = cursor("a b d");
  CHECK(scan_reference(r.s, true) == "a b");
  r.s.in = cursor("g]");
  CHECK(scan_reference(r.s, true).empty());
  CHECK(scan_reference(r.s, false) == "g");
}

TEST_CASE("names: references to one name share a node") {
  reading r("f g f");
  jaxpr::value a, b, c;
  refer(r.s, std::string_view(r.text).substr(0, 1), a);
  refer(r.s, std::string_view(r.text).substr(2, 1), b);
  refer(r.s, std::string_view(r.text).substr(4, 1), c);
  CHECK(a.tag == jaxpr::value::kind::body);
  CHECK(a.body == c.body);
  CHECK(a.body != b.body);
  CHECK(r.names.entries.size() == 2);
  CHECK(r.names.uses[2].where == jaxpr::span{4, 5});
}
