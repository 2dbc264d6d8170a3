// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/lexer/cursor.hpp>

using jaxpr::reader::cursor;

TEST_CASE("cursor: looking ahead stops at the end of the text") {
  cursor in("ab");
  CHECK(in.peek() == 'a');
  CHECK(in.peek(1) == 'b');
  CHECK(in.peek(2) == '\0');
  CHECK(in.on("ab"));
  CHECK(!in.on("abc"));
  in.advance(2);
  CHECK(in.ended());
  CHECK(in.peek() == '\0');
  CHECK(!in.on('b'));
}

TEST_CASE("cursor: columns start over at each line") {
  cursor in(" \n  x\ny");
  CHECK(in.skip_blanks());
  CHECK(in.column() == 2);
  CHECK(!in.skip_blanks());
  in.jump(in.last);
  CHECK(in.column() == 1);
}

TEST_CASE("cursor: a message names the token at the cursor") {
  const auto name = [](std::string_view text) { return jaxpr::reader::found(cursor(text)).name; };
  CHECK(name("") == "the end of the text");
  CHECK(name("\nx") == "the end of the line");
  CHECK(name("abc+") == "'abc'");
  CHECK(name("++") == "'+'");
  CHECK(name("\x01") == "byte 0x01");
  CHECK(name("\xc3\xb6") == "byte 0xc3");
}

TEST_CASE("cursor: at the end of the text an error points to the position after the last token") {
  cursor in("ab  \n");
  in.advance(2);
  in.skip_blanks();
  try {
    jaxpr::reader::expect(in, "}", "after it", "other help");
    FAIL("accepted");
  } catch (const jaxpr::error& e) {
    CHECK(e.details().where == jaxpr::span{2, 2});
    CHECK(e.details().message == "expected '}' after it, found the end of the text");
    CHECK(e.details().help == "the text stops too early: was it cut off?");
  }
}

TEST_CASE("cursor: expect skips the word, check_identifier admits what reaches the limit") {
  cursor in("in (");
  jaxpr::reader::expect(in, "in", "");
  CHECK(in.rest() == " (");
  CHECK(code_of([&] { jaxpr::reader::check_identifier(in, "abc", 3, "name"); }).empty());
  CHECK(code_of([&] { jaxpr::reader::check_identifier(in, in.rest(), 1, "name"); }) == "parse.limit-identifier");
}
