// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/equation.hpp>
#include <jaxpr/reader/program.hpp>

using namespace jaxpr::reader;

TEST_CASE("equation: in ( ends the equations unless a complex literal follows") {
  CHECK(at_results(cursor("in (a,)")));
  CHECK(at_results(cursor("in(")));
  CHECK(!at_results(cursor("in (1+2j)")));
  CHECK(!at_results(cursor("in a")));
  CHECK(!at_results(cursor("i")));
}

TEST_CASE("equation: in a block, a token at the first column starts a new equation") {
  cursor in("ab");
  CHECK(at_equation_end(in, {true, 0}, true));
  CHECK(!at_equation_end(in, {true, 0}, false));
  in.advance(1);
  CHECK(!at_equation_end(in, {true, 0}, true));
  CHECK(at_equation_end(cursor(";"), {}, false));
}

TEST_CASE("equation: binders with and without types") {
  CHECK(at_binder(cursor("a:f32[] = f"), {}));
  CHECK(at_binder(cursor("a b = f"), {}));
  CHECK(!at_binder(cursor("f a b"), {}));
  CHECK(!at_binder(cursor("f-g a"), {}));
}

TEST_CASE("equation: results are bound after the equation") {
  reading r("a:f32[] b:f32[] = p.q<1>[k=1] 2.0:f32[] 3:i32[]; rest");
  parse_equation(r.s, {});
  REQUIRE(r.s.equations.size() == 1);
  const jaxpr::equation& e = r.s.equations.back();
  CHECK(e.primitive == "p.q<1>");
  CHECK(e.outs[1].slot == 1);
  CHECK(e.ins.size() == 2);
  CHECK(e.find("k")->integer == 1);
  CHECK(e.where == jaxpr::span{0, static_cast<std::uint32_t>(r.text.find(';'))});
  CHECK(r.rest() == "; rest");
  CHECK(code_of([] {
          reading twice("a:f32[] a:f32[] = f");
          parse_equation(twice.s, {});
        }) == "parse.redefined-variable");
}
