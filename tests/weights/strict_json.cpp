// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <vector>

#include <jax2onnx/weights/strict_json.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> names(std::string_view text) { return parse_names(text, {"FILE", {}}); }

/// Accepts one unsigned number.
class one_number final : public strict_json<one_number> {
 public:
  std::uint64_t number = 0;
  bool number_unsigned(std::uint64_t n) { return number = n, true; }
};

std::uint64_t number(std::string_view text) {
  one_number reader;
  reader.read(text, {"FILE", {}});
  return reader.number;
}

}  // namespace

TEST_CASE("strict JSON: a list of names") {
  CHECK(names("[]").empty());
  CHECK(names(R"( ["a", "h\u00e4", "\"\\"] )") == std::vector<std::string>{"a", "h\xc3\xa4", "\"\\"});
}

TEST_CASE("strict JSON: events that a reader does not take are refused") {
  CHECK_THROWS_WITH(names("{}"), "FILE: an object is not expected here");
  CHECK_THROWS_WITH(names("[null]"), "FILE: null is not allowed");
  CHECK_THROWS_WITH(names("[true]"), "FILE: true and false are not allowed");
  CHECK_THROWS_WITH(names("[1]"), "FILE: a number is not expected here");
  CHECK_THROWS_WITH(names("[-1]"), "FILE: negative numbers are not allowed");
  CHECK_THROWS_WITH(names("[[]]"), Contains("a list is not expected"));
  CHECK_THROWS_WITH(names("\"a\""), Contains("a list of names is expected"));
}

TEST_CASE("strict JSON: integers are whole and fit 64 bits") {
  CHECK(number("0") == 0);
  CHECK(number("18446744073709551615") == ~std::uint64_t{0});
  for (const char* text : {"18446744073709551616", "1.0", "1e3", "0.5"})
    CHECK_THROWS_WITH(number(text), Contains("only plain integers below 2^64"));
  CHECK_THROWS_WITH(number("-0"), Contains("negative"));
}

TEST_CASE("strict JSON: damage is told with its place, and nothing may follow the value") {
  CHECK_THROWS_WITH(names("["), "FILE: the JSON text is damaged at byte 2");
  CHECK_THROWS_WITH(names("[]x"), Contains("damaged at byte 3"));
  CHECK_THROWS_WITH(names(""), Contains("damaged"));
  CHECK_THROWS_WITH(names("[\"a\",]"), Contains("damaged"));
  CHECK_THROWS_WITH(names("[\"\xff\"]"), Contains("damaged"));
  CHECK_THROWS_WITH(names(std::string_view("[]\0[]", 5)), Contains("damaged at byte 3"));
  CHECK_THROWS_WITH(names(std::string_view("[\"a\0b\"]", 7)), Contains("damaged"));
}

TEST_CASE("strict JSON: deep nesting does not exhaust the stack") {
  CHECK_THROWS_AS(names(std::string(10'000'000, '[')), file_error);
}
