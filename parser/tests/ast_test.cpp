#include "catch.hpp"

#include <string>
#include <string_view>

#include <jaxpr/ast.hpp>

TEST_CASE("ast: a part of a text has a span, other text has none") {
  const std::string text = "abcdef", other = "cd";
  const std::string_view part = std::string_view(text).substr(2, 2);
  CHECK(jaxpr::is_part_of(part, text));
  CHECK(jaxpr::span_of(part, text) == jaxpr::span{2, 4});
  CHECK(jaxpr::span_of(text, text) == jaxpr::span{0, 6});
  CHECK(!jaxpr::is_part_of(other, text));
  CHECK(!jaxpr::is_part_of(text, part));
  CHECK(jaxpr::span_of(other, text) == jaxpr::span{});
  CHECK(jaxpr::span_of({}, text) == jaxpr::span{});
}

TEST_CASE("ast: an atom is a variable, a literal or dropped") {
  jaxpr::atom a;
  CHECK(a.is_literal());
  CHECK(!a.is_dropped());
  a.slot = 3;
  CHECK(!a.is_literal());
  CHECK(!a.is_dropped());
  a.slot = jaxpr::atom::dropped_slot;
  CHECK(!a.is_literal());
  CHECK(a.is_dropped());
}

TEST_CASE("ast: an equation finds its parameters by key") {
  const jaxpr::param params[] = {{"axis", {}}, {"shape", {}}};
  jaxpr::equation e;
  CHECK(e.find("axis") == nullptr);
  e.params = params;
  CHECK(e.find("shape") == &params[1].val);
  CHECK(e.find("sha") == nullptr);
}

TEST_CASE("ast: an extent is symbolic if it has an expression") {
  CHECK(!jaxpr::extent{3, {}}.symbolic());
  CHECK(jaxpr::extent{0, "2*b"}.symbolic());
}
