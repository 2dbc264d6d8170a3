// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/atom.hpp>

namespace {

std::uint32_t number_of(std::string_view name) {
  return jaxpr::reader::scan_variable(jaxpr::reader::cursor(name)).number;
}

std::string refusal(std::string_view text) {
  return code_of([&] {
    reading r(text);
    (void)jaxpr::reader::parse_atom(r.s, false);
  });
}

}  // namespace

TEST_CASE("atom: variables are numbered as JAX counts") {
  constexpr std::uint32_t none = jaxpr::reader::variable_name::no_number;
  CHECK(number_of("a") == 0);
  CHECK(number_of("z") == 25);
  CHECK(number_of("ba") == 26);
  CHECK(number_of("zzzzzz") == 308915775);
  CHECK(number_of("aa") == none);
  CHECK(number_of("a_") == none);
  CHECK(number_of("baaaaaa") == none);
  CHECK(jaxpr::reader::scan_variable(jaxpr::reader::cursor("Ab")).text.empty());
  CHECK(jaxpr::reader::scan_variable(jaxpr::reader::cursor("a1")).text.empty());
}

TEST_CASE("atom: a bound name is a variable, but a literal if a type follows") {
  reading r("inf inf:f32[] 2.5:f32[] nan");
  jaxpr::binder b{"inf", nullptr, 0};
  jaxpr::reader::bind(r.s, jaxpr::reader::scan_variable(r.s.in), b);
  CHECK(!jaxpr::reader::parse_atom(r.s, false).is_literal());
  r.s.in.skip_blanks();
  const jaxpr::atom typed = jaxpr::reader::parse_atom(r.s, false);
  CHECK(typed.is_literal());
  CHECK(typed.annotation->text == "f32[]");
  CHECK(!r.s.needs_inference);
  r.s.in.skip_blanks();
  CHECK(jaxpr::reader::parse_atom(r.s, false).text == "2.5");
  r.s.in.skip_blanks();
  CHECK(jaxpr::reader::parse_atom(r.s, false).is_literal());
  CHECK(r.s.needs_inference);
}

TEST_CASE("atom: text that is neither a variable nor a literal is refused") {
  CHECK(refusal("b") == "parse.unbound-variable");
  CHECK(refusal("_") == "parse.unbound-variable");
  CHECK(refusal("b:f32[]") == "parse.expected-operand");
  CHECK(refusal("1.0abc") == "parse.expected-operand");
  CHECK(refusal("") == "parse.expected-operand");
}
