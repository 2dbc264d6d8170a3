// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jaxpr/reader/lexer/chars.hpp>

using namespace jaxpr::reader;

TEST_CASE("chars: classes") {
  STATIC_REQUIRE((is_blank(' ') && is_blank('\n') && is_blank('\t') && !is_blank('\0') && !is_blank('a')));
  STATIC_REQUIRE((is_digit('0') && is_digit('9') && !is_digit('a')));
  STATIC_REQUIRE((is_word_start('_') && is_word_start('Z') && !is_word_start('1') && is_word('1')));
  STATIC_REQUIRE((is_primitive('-') && is_primitive('<') && !is_primitive('[')));
  STATIC_REQUIRE((!is_word('\xff') && !is_blank('\xa0')));
}

TEST_CASE("chars: identifiers and closing brackets") {
  STATIC_REQUIRE((is_identifier("_a1") && !is_identifier("1a") && !is_identifier("") && !is_identifier("a b")));
  STATIC_REQUIRE((closing('(') == ')' && closing('[') == ']' && closing('{') == '}'));
}
