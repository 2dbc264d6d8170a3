// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string_view>

#include <jaxpr/diagnostic.hpp>

TEST_CASE("diagnostic: an error shows its message and keeps the details") {
  const jaxpr::error e({jaxpr::severity::error, "parse.x", "expected x, found y", {1, 2}, "help", {}}, "text");
  CHECK(std::string_view(e.what()) == "expected x, found y");
  CHECK(e.details().code == "parse.x");
  CHECK(e.details().where == jaxpr::span{1, 2});
  CHECK(e.text() == "text");
  const jaxpr::error copy = e;
  CHECK(copy.details().help == "help");
  CHECK(jaxpr::error(e.details()).text().empty());
}

TEST_CASE("diagnostic: an ambiguous operand names the number of candidates") {
  CHECK(jaxpr::ambiguous_dropped({3, 4}, "2").message ==
        "expected a variable, found '_' which may be any of 2 results");
  CHECK(jaxpr::ambiguous_dropped({3, 4}).message.find("several") != std::string::npos);
  CHECK(jaxpr::ambiguous_dropped({3, 4}).where == jaxpr::span{3, 4});
}
