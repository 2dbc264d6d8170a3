#include "catch.hpp"

#include <string_view>

#include <jaxpr/detail/unicode.hpp>

using jaxpr::detail::decode;

TEST_CASE("unicode: code points of one to four bytes") {
  CHECK(decode("a", 0).value == 'a');
  CHECK(decode("ö", 0).value == 0xf6);
  CHECK(decode("ö", 0).size == 2);
  CHECK(decode("x€", 1).value == 0x20ac);
  CHECK(decode("😀", 0).value == 0x1f600);
  CHECK(decode("😀", 0).size == 4);
}

TEST_CASE("unicode: a byte that is not UTF-8 stands for itself") {
  for (const std::string_view text : {"\xff", "\xc3", "\xc3x", "\xe2\x82", "\x80", "\xc0\x80"}) {
    CHECK(!decode(text, 0).valid);
    CHECK(decode(text, 0).size == 1);
    CHECK(decode(text, 0).value == static_cast<unsigned char>(text[0]));
  }
}

TEST_CASE("unicode: control characters and marks that reorder text are unsafe") {
  for (const char32_t c : {0x0, 0x1b, 0x7f, 0x9f, 0x200e, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff})
    CHECK(jaxpr::detail::is_unsafe(c));
  for (const char32_t c : {0x20, 0x7e, 0xa0, 0xf6, 0x2029 + 10, 0x1f600}) CHECK(!jaxpr::detail::is_unsafe(c));
}
