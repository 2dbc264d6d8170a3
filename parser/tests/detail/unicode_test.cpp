// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

#include <jaxpr/detail/unicode.hpp>

using jaxpr::detail::decode;
using code_points = std::initializer_list<char32_t>;

TEST_CASE("unicode: code points of one to four bytes") {
  CHECK(decode("a", 0).value == 'a');
  CHECK(decode("ö", 0).value == 0xf6);
  CHECK(decode("ö", 0).size == 2);
  CHECK(decode("x€", 1).value == 0x20ac);
  CHECK(decode("😀", 0).value == 0x1f600);
  CHECK(decode("😀", 0).size == 4);
}

TEST_CASE("unicode: a byte that is not UTF-8 is its own value") {
  for (const std::string_view text : {"\xff", "\xc3", "\xc3x", "\xe2\x82", "\x80", "\xc0\x80", "\xe0\x9f\xbf",
                                      "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    CHECK(!decode(text, 0).valid);
    CHECK(decode(text, 0).size == 1);
    CHECK(decode(text, 0).value == static_cast<unsigned char>(text[0]));
  }
}

TEST_CASE("unicode: control characters and characters that hide or reorder text are unsafe") {
  for (const char32_t c : code_points{0x0, 0x1b, 0x7f, 0x9f, 0xad, 0x61c, 0x200b, 0x200e, 0x2028, 0x202a, 0x202e,
                                      0x2060, 0x2066, 0x2069, 0xfeff, 0xe0001})
    CHECK(jaxpr::detail::is_unsafe(c));
  for (const char32_t c : code_points{0x20, 0x7e, 0xa0, 0xf6, 0x2029 + 10, 0x1f600})
    CHECK(!jaxpr::detail::is_unsafe(c));
}

TEST_CASE("unicode: the first byte that is not UTF-8 is found wherever it is") {
  using jaxpr::detail::find_invalid_utf8;
  CHECK(find_invalid_utf8("") == jaxpr::detail::no_offset);
  for (std::size_t before = 0; before < 20; ++before) {
    const std::string text(before, 'a');
    CHECK(find_invalid_utf8(text + "öa€😀") == jaxpr::detail::no_offset);
    CHECK(find_invalid_utf8(text + "\xff" + text) == before);
    CHECK(find_invalid_utf8(text + "€\xc3") == before + 3);
  }
}

TEST_CASE("unicode: unsafe characters are found, and blanks are safe") {
  using jaxpr::detail::find_unsafe;
  CHECK(find_unsafe("f32[B,\n\t\r ö]") == jaxpr::detail::no_offset);
  CHECK(find_unsafe("f32[x\xe2\x80\xaey]") == 5);
  CHECK(find_unsafe("a\x1b") == 1);
  CHECK(find_unsafe("a\xff") == 1);
}
