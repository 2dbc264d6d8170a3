// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jaxpr/render.hpp>

TEST_CASE("render: places are counted in lines and code points from 1") {
  const std::string text = "a\nböc\n";
  CHECK(jaxpr::locate(text, 0).line == 1);
  CHECK(jaxpr::locate(text, 1).column == 2);
  CHECK(jaxpr::locate(text, 5).line == 2);
  CHECK(jaxpr::locate(text, 5).column == 3);
  CHECK(jaxpr::locate(text, 100).line == 3);
}

TEST_CASE("render: notes follow their error, file names cannot disturb the terminal") {
  jaxpr::diagnostic d{jaxpr::severity::error, "lower.x", "bad \x1b[31m", {2, 3}, "do y", {}};
  d.notes.push_back({jaxpr::severity::note, "", "in here", {0, 1}, "", {}});
  CHECK(jaxpr::render(d, "ab c\n", "f\n.jaxpr") ==
        "f\\u{a}.jaxpr:1:3: error[lower.x]: bad \\u{1b}[31m\n"
        "    1 | ab c\n"
        "      |   ^\n"
        "      = help: do y\n"
        "f\\u{a}.jaxpr:1:1: note: in here\n"
        "    1 | ab c\n"
        "      | ^\n");
}

TEST_CASE("render: without a text there is no source line, without a code no brackets") {
  const jaxpr::diagnostic d{jaxpr::severity::warning, "", "odd", {5, 6}, "", {}};
  CHECK(jaxpr::render(d, "", "f") == "f:1:1: warning: odd\n");
}

TEST_CASE("render: a long line is cut around the caret") {
  const std::string text(500, 'x');
  const std::string shown = jaxpr::render({jaxpr::severity::error, "c", "m", {300, 303}, "", {}}, text, "f");
  CHECK(shown.find("| ..." + std::string(103, 'x') + "...\n") != std::string::npos);
  CHECK(shown.find("   ^^^\n") != std::string::npos);
}

TEST_CASE("render: a span may cover several code points or lie at the end") {
  const std::string shown = jaxpr::render({jaxpr::severity::error, "c", "m", {1, 5}, "", {}}, "aöüb", "f");
  CHECK(shown.ends_with("    1 | aöüb\n      |  ^^\n"));
  CHECK(jaxpr::render({jaxpr::severity::error, "c", "m", {9, 9}, "", {}}, "ab", "f").ends_with("|   ^\n"));
}
