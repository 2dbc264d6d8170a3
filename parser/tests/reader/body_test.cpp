// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/body.hpp>
#include <jaxpr/reader/program.hpp>

namespace {

std::string refusal(std::string_view text) {
  return code_of([&] {
    reading r(text);
    (void)jaxpr::reader::parse_body(r.s);
  });
}

}  // namespace

TEST_CASE("body: slots number constvars, invars and results in order") {
  reading r("{ lambda a:f32[]; b:f32[]. let c:f32[] d:f32[] = f a b in (d, a) } rest");
  const jaxpr::body& b = *jaxpr::reader::parse_body(r.s);
  CHECK(b.constvars[0].slot == 0);
  CHECK(b.invars[0].slot == 1);
  CHECK(b.equations[0].outs[1].slot == 3);
  CHECK(b.results[0].slot == 3);
  CHECK(b.slots == 4);
  CHECK(r.rest() == " rest");
}

TEST_CASE("body: printed effects differ from no effects") {
  reading none("{ lambda ; . let  in () }"), empty("{ lambda ; . let  in () : {  } }");
  CHECK(jaxpr::reader::parse_body(none.s)->effects.data() == nullptr);
  const jaxpr::body& printed = *jaxpr::reader::parse_body(empty.s);
  CHECK(printed.effects.data() != nullptr);
  CHECK(printed.effects.empty());
}

TEST_CASE("body: a body of many equations stays where it was read") {
  std::string text = "{ lambda ; a:f32[]. let\n";
  for (int i = 0; i < 5000; ++i) text += "    _:f32[] = f a\n";
  reading r(text + "  in (a,) }");
  const jaxpr::body& b = *jaxpr::reader::parse_body(r.s);
  REQUIRE(b.equations.size() == 5000);
  CHECK(b.equations[4999].outs[0].slot == 5000);
  CHECK(r.s.equations.empty());
}

TEST_CASE("body: each part is required") {
  CHECK(refusal("lambda") == "parse.expected-jaxpr");
  CHECK(refusal("{ lambda a") == "parse.expected-binder");
  CHECK(refusal("{ lambda ; . in") == "parse.expected-punctuation");
  CHECK(refusal("{ lambda ; . let ") == "parse.expected-equation");
  CHECK(refusal("{ lambda ; . let in (") == "parse.expected-operand");
  CHECK(refusal("{ lambda ; . let in () : { x") == "parse.expected-punctuation");
  CHECK(refusal("{ lambda ; . let in ()") == "parse.expected-punctuation");
}
