// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/support/plain_text.hpp>

using namespace jax2onnx::detail;

TEST_CASE("plain_text: keeps letters, replaces what deceives") {
  CHECK(plain_text("weights/λ_1") == "weights/λ_1");
  CHECK(plain_text("") == "");
  CHECK(plain_text("a\x1b[31mb\n") == "a_[31mb_");
  CHECK(plain_text(std::string_view("a\0b", 3)) == "a_b");
  CHECK(plain_text("\x7f") == "_");
  CHECK(plain_text("\xc2\x9b"
                   "2J") == "_2J");  // CSI as one character
  CHECK(plain_text("a\xe2\x80\xae"
                   "b") == "a_b");             // right-to-left override
  CHECK(plain_text("\xef\xbb\xbfx") == "_x");  // byte order mark
  CHECK(plain_text("\xff\xfe") == "__");
}

TEST_CASE("plain_lines: keeps line breaks") {
  CHECK(plain_lines("") == "");
  CHECK(plain_lines("a\n\nb\n") == "a\n\nb\n");
  CHECK(plain_lines("a\x1b\n\xff") == "a_\n_");
}

TEST_CASE("shown: escapes all but printable ASCII, and cuts") {
  CHECK(shown("layer.0") == "layer.0");
  CHECK(shown("a\x1b[0m\xe9") == "a\\x1b[0m\\xe9");
  CHECK(shown(std::string(200, 'a')) == std::string(200, 'a'));
  CHECK(shown(std::string(201, 'a')) == std::string(200, 'a') + "...");
}
