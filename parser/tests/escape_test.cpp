// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jaxpr/escape.hpp>

TEST_CASE("escape: printable text stays, also beyond ASCII") {
  CHECK(jaxpr::escape("a b~") == "a b~");
  CHECK(jaxpr::escape("größe €") == "größe €");
}

TEST_CASE("escape: characters that disturb a terminal become escape sequences") {
  CHECK(jaxpr::escape("\x1b[31m") == "\\u{1b}[31m");
  CHECK(jaxpr::escape("a\nb\tc") == "a\\u{a}b c");
  CHECK(jaxpr::escape("\u202e\u2066\ufeff\u0085") == "\\u{202e}\\u{2066}\\u{feff}\\u{85}");
  CHECK(jaxpr::escape("\xff\xc3") == "\\xff\\xc3");
}

TEST_CASE("escape: escape_lines keeps line breaks") {
  CHECK(jaxpr::escape_lines("a\x01\n\nb\n") == "a\\u{1}\n\nb\n");
  CHECK(jaxpr::escape_lines("").empty());
}
