// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/text.hpp>

namespace {

std::string refusal(std::string_view text) {
  jaxpr::detail::arena nodes;
  return code_of([&] { (void)jaxpr::reader::parse_text(text, {}, nodes); });
}

}  // namespace

TEST_CASE("text: blanks, comments and a byte order mark may surround a program") {
  CHECK(refusal("\xef\xbb\xbf # c\n { lambda ; . let  in () } # d\n").empty());
  CHECK(refusal(" \xef\xbb\xbf{ lambda ; . let  in () }") == "parse.expected-jaxpr");
}

TEST_CASE("text: nothing may follow the program") {
  CHECK(refusal("{ lambda ; . let  in () } x") == "parse.trailing-text");
}

TEST_CASE("text: results of the main body must be known") {
  CHECK(refusal("{ lambda ; . let _:f32[] = f; _:f32[] = f in (_,) }") == "parse.ambiguous-dropped");
  CHECK(refusal("{ lambda ; . let _:f32[] = f in (_,) }").empty());
}
