// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/program.hpp>

using jaxpr::reader::parse_program;

TEST_CASE("program: shared bodies are listed in the order of their definition") {
  reading r(
      "let f = { lambda ; . let p[jaxpr=g]  in () } in\nlet g = { lambda ; . let  in () } in\n"
      "{ lambda ; . let p[jaxpr=f]  in () }");
  const jaxpr::body& main = *parse_program(r.s);
  REQUIRE(main.shared.size() == 2);
  CHECK(main.shared[0].name == "f");
  CHECK(main.equations[0].find("jaxpr")->body == main.shared[0].body);
  CHECK(main.shared[0].body->equations[0].find("jaxpr")->body == main.shared[1].body);
  CHECK(r.s.names == &r.names);
}

TEST_CASE("program: names are defined once") {
  CHECK(code_of([] {
          reading r(
              "let f = { lambda ; . let  in () } in\nlet f = { lambda ; . let  in () } in\n{ lambda ; . let  in () }");
          (void)parse_program(r.s);
        }) == "parse.duplicate-jaxpr");
  CHECK(code_of([] {
          reading r("let f = 3 in");
          (void)parse_program(r.s);
        }) == "parse.expected-jaxpr");
}
