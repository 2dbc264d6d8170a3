#include "catch.hpp"

#include <jax2onnx/support/plain_text.hpp>
#include <jaxpr/detail/unicode.hpp>

using namespace jax2onnx::detail;

TEST_CASE("front_char: UTF-8 as RFC 3629 has it") {
  CHECK(front_char("a").code == 'a');
  CHECK(front_char("é!").code == 0xe9);
  CHECK(front_char("é!").length == 2);
  CHECK(front_char("€").length == 3);
  CHECK(front_char("😀").code == 0x1f600);
  CHECK(front_char("\x80").length == 0);              // a continuation byte
  CHECK(front_char("\xc3").length == 0);              // cut short
  CHECK(front_char("\xc3(").length == 0);             // no continuation
  CHECK(front_char("\xc0\xaf").length == 0);          // overlong
  CHECK(front_char("\xe0\x80\xaf").length == 0);      // overlong
  CHECK(front_char("\xed\xa0\x80").length == 0);      // a surrogate
  CHECK(front_char("\xf4\x90\x80\x80").length == 0);  // beyond U+10FFFF
}

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

TEST_CASE("is_deceptive: the same characters as in the parser") {
  for (std::uint32_t c = 0; c <= 0x10ffff; ++c)
    if (is_deceptive(c) != jaxpr::detail::is_unsafe(c)) FAIL_CHECK(c);
}

TEST_CASE("shown: escapes all but printable ASCII, and cuts") {
  CHECK(shown("layer.0") == "layer.0");
  CHECK(shown("a\x1b[0m\xe9") == "a\\x1b[0m\\xe9");
  CHECK(shown(std::string(200, 'a')) == std::string(200, 'a'));
  CHECK(shown(std::string(201, 'a')) == std::string(200, 'a') + "...");
}
