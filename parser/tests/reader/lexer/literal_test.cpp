// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jaxpr/reader/lexer/literal.hpp>

using namespace jaxpr::reader;

namespace {

constexpr bool is_literal(std::string_view text, literal_kind kind, std::size_t size) {
  return scan_literal(text).kind == kind && scan_literal(text).size == size;
}

}  // namespace

TEST_CASE("literal: numbers") {
  STATIC_REQUIRE(is_literal("12 ", literal_kind::integer, 2));
  STATIC_REQUIRE(is_literal("-3:i32[]", literal_kind::integer, 2));
  STATIC_REQUIRE(is_literal("1.", literal_kind::floating, 2));
  STATIC_REQUIRE(is_literal("-1.5e-07,", literal_kind::floating, 8));
  STATIC_REQUIRE(is_literal("1e5", literal_kind::floating, 3));
  STATIC_REQUIRE(is_literal("-inf", literal_kind::floating, 4));
  STATIC_REQUIRE(is_literal("nan)", literal_kind::floating, 3));
  STATIC_REQUIRE(is_literal("2j", literal_kind::complex, 2));
  STATIC_REQUIRE(is_literal("(-1.5+infj):c64[]", literal_kind::complex, 11));
}

TEST_CASE("literal: booleans and arrays that JAX elides") {
  STATIC_REQUIRE(is_literal("True", literal_kind::boolean, 4));
  STATIC_REQUIRE(is_literal("False ", literal_kind::boolean, 5));
  STATIC_REQUIRE(is_literal("[...]", literal_kind::other, 5));
  STATIC_REQUIRE(is_literal("(b'',)", literal_kind::other, 6));
}

TEST_CASE("literal: words and malformed numbers are not literals") {
  for (const std::string_view text :
       {"", "-", "a", "Truex", "1x", "infx", "1.0abc", "(1+2)", "(1+2j", "(b'\n',)", "e5", "."})
    CHECK(scan_literal(text).kind == literal_kind::none);
  STATIC_REQUIRE(is_literal("1e", literal_kind::none, 0));
}
