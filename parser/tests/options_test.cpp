// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <string>

#include <jaxpr/options.hpp>
#include <jaxpr/parse.hpp>

TEST_CASE("options: a limit admits what reaches it and refuses what exceeds it") {
  const std::string text = "{ lambda ; abc:f32[]. let  in (abc,) }";
  CHECK(support::refusal(text, {.max_bytes = text.size()}).empty());
  CHECK(support::refusal(text, {.max_bytes = text.size() - 1}) == "parse.limit-size");
  CHECK(support::refusal(text, {.max_identifier = 5}).empty());
  CHECK(support::refusal(text, {.max_identifier = 4}) == "parse.limit-identifier");
  CHECK(support::refusal(text, {.max_depth = 2}).empty());
  CHECK(support::refusal(text, {.max_depth = 1}) == "parse.limit-depth");
}

TEST_CASE("options: ambiguous operands are refused unless they are kept") {
  const std::string text = "{ lambda ; a:f32[]. let _:f32[] = f a; _:f32[] = g a; b:f32[] = h _ in (b,) }";
  CHECK(support::refusal(text) == "parse.ambiguous-dropped");
  CHECK(support::refusal(text, {.keep_ambiguous = true}).empty());
}
