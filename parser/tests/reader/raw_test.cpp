// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/raw.hpp>

using namespace jaxpr::reader;

namespace {

std::string raw_text(std::string_view text, param_layout layout) {
  reading r(text);
  jaxpr::value v;
  parse_raw(r.s, layout, false, v);
  return std::string(v.text);
}

}  // namespace

TEST_CASE("raw: a key is a word directly before one =") {
  const auto is_key = [](std::string_view text) { return scan_key(text.data(), text.data() + text.size()) != nullptr; };
  CHECK(is_key("a_1=x"));
  CHECK(is_key("a="));
  CHECK(!is_key("a =x"));
  CHECK(!is_key("a==x"));
  CHECK(!is_key("1=x"));
  CHECK(!is_key(""));
}

TEST_CASE("raw: strings end on their line, escapes are skipped") {
  const auto length = [](std::string_view text) {
    const char* end = string_end(text.data(), text.data() + text.size());
    return end ? end - text.data() : -1;
  };
  CHECK(length("'a' b") == 3);
  CHECK(length(R"('a\'b')") == 6);
  CHECK(length("\"'\"") == 3);
  CHECK(length("'a\n'") == -1);
  CHECK(length("'a\\") == -1);
}

TEST_CASE("raw: free text ends at the bracket or before the next key") {
  CHECK(raw_text("a, b] c", param_layout::one_line) == "a, b");
  CHECK(raw_text("f(x=1) y k=2]", param_layout::one_line) == "f(x=1) y");
  CHECK(raw_text("'a]' k=2]", param_layout::one_line) == "'a]'");
  CHECK(raw_text("a ] b\n  k=2\n]", param_layout::one_per_line) == "a ] b");
  CHECK(raw_text("a (\n  k=2\n] b", param_layout::one_per_line) == "a (");
  CHECK(raw_text(" k=2]", param_layout::one_line).empty());
}

TEST_CASE("raw: text without an end is refused, also when the budget is spent") {
  CHECK(code_of([] { raw_text("(a", param_layout::one_line); }) == "parse.expected-value");
  reading r("abc]");
  r.s.rescan_budget = 2;
  CHECK(balanced_scan(r.s).whole(r.s.in.at, param_layout::one_line) == nullptr);
}
