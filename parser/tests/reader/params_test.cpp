// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/params.hpp>
#include <jaxpr/reader/program.hpp>

using namespace jaxpr::reader;

namespace {

std::string refusal(std::string_view text) {
  return code_of([&] {
    reading r(text);
    (void)parse_params(r.s);
  });
}

}  // namespace

TEST_CASE("params: on one line or one a line") {
  reading line("[a=1 b=(2, 3) c=x y z] rest"), block("[\n  a=1\n  b=x y\n  c=2\n] rest");
  const jaxpr::list<jaxpr::param> first = parse_params(line.s), second = parse_params(block.s);
  REQUIRE(first.size() == 3);
  CHECK(first[1].val.items[1].integer == 3);
  CHECK(first[2].val.text == "x y z");
  CHECK(line.rest() == " rest");
  REQUIRE(second.size() == 3);
  CHECK(second[1].val.text == "x y");
  CHECK(block.rest() == " rest");
}

TEST_CASE("params: equal values of one key share their elements") {
  reading r("[k=(1, 2) j=0 k=(1, 2)]");
  const jaxpr::list<jaxpr::param> params = parse_params(r.s);
  CHECK(params[0].val.items.data() == params[2].val.items.data());
  CHECK(params[0].val.text.data() != params[2].val.text.data());
}

TEST_CASE("params: a key that ends in jaxpr may name a shared jaxpr") {
  reading r("[jaxpr=f call_jaxpr=None name=f]");
  const jaxpr::list<jaxpr::param> params = parse_params(r.s);
  CHECK(params[0].val.tag == jaxpr::value::kind::body);
  CHECK(params[1].val.tag == jaxpr::value::kind::none);
  CHECK(params[2].val.tag == jaxpr::value::kind::name);
}

TEST_CASE("params: commas, missing keys and open brackets are refused") {
  CHECK(refusal("[a=1, b=2]") == "parse.expected-parameter");
  CHECK(refusal("[1]") == "parse.expected-parameter");
  CHECK(refusal("[a=1 ") == "parse.expected-value");
  CHECK(refusal("[") == "parse.expected-punctuation");
}
