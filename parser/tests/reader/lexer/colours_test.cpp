// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jaxpr/reader/lexer/colours.hpp>

using namespace jaxpr::reader;

TEST_CASE("colours: codes at the start of a text") {
  CHECK(colour_code("\x1b[0m") == 4);
  CHECK(colour_code("\x1b[39;22mx") == 8);
  CHECK(colour_code("\x1b[m") == 3);
  CHECK(colour_code("x\x1b[0m") == 0);
  CHECK(colour_code("\x1b[0") == 0);
  CHECK(colour_code("\x1b[2J") == 0);
}

TEST_CASE("colours: stripping removes codes and keeps other escapes") {
  CHECK(strip_colours("\x1b[1ma\x1b[0m b\x1b[0m\x1b[0m") == "a b");
  CHECK(strip_colours("a\x1b[2J\x1b") == "a\x1b[2J\x1b");
  CHECK(strip_colours("").empty());
}

TEST_CASE("colours: offsets lead back to the coloured text") {
  const std::string_view text = "\x1b[1ma\x1b[0m b";
  CHECK(coloured_offset(text, 0) == 4);
  CHECK(coloured_offset(text, 1) == 9);
  CHECK(coloured_offset(text, 2) == 10);
  CHECK(coloured_offset(text, 9) == text.size());
}
