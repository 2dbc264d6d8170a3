// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jaxpr/ast.hpp>

TEST_CASE("ast: a part of a text has a span, any other text has none") {
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

TEST_CASE("ast: a list is a view of elements") {
  const std::vector<int> numbers = {3, 4, 5};
  const jaxpr::list<int> all = numbers;
  CHECK(all.size() == 3);
  CHECK(all.data() == numbers.data());
  CHECK(all.front() == 3);
  CHECK(all[1] == 4);
  CHECK(all.back() == 5);
  CHECK(all.first(2).back() == 4);
  CHECK(all.last(2).front() == 4);
  CHECK(all.subspan(1).size() == 2);
  CHECK(all.subspan(1, 1).back() == 4);
  CHECK(std::span<const int>(all).data() == numbers.data());
  CHECK(jaxpr::list<int>().empty());
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
