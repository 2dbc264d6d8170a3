// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstdint>
#include <vector>

#include <jax2onnx/support/message.hpp>

using namespace jax2onnx::detail;

TEST_CASE("message: parts stand where the braces are") {
  CHECK(message("nothing") == "nothing");
  CHECK(message("{}", "a") == "a");
  CHECK(message("{}{}", 'x', std::string("y")) == "xy");
  CHECK(message("<{}> and <{}>", std::string_view("one"), 2) == "<one> and <2>");
}

TEST_CASE("message: integers of every width") {
  CHECK(message("{} {}", INT64_MIN, UINT64_MAX) == "-9223372036854775808 18446744073709551615");
  CHECK(message("{} {}", static_cast<std::int8_t>(-1), static_cast<unsigned char>(255)) == "-1 255");
}

TEST_CASE("message: a noun is singular after the part 1") {
  CHECK(message("{} ax{is|es}", 1) == "1 axis");
  CHECK(message("{} ax{is|es}", 0) == "0 axes");
  CHECK(message("{} ax{is|es} of {} item{|s}", 11, "1") == "11 axes of 1 item");
  CHECK(message("{} item{ is|s are} given", 1) == "1 item is given");
  CHECK(message("{} item{ is|s are} given", 2) == "2 items are given");
}

TEST_CASE("message: braces in a part are not filled") { CHECK(message("{}, {}", "{}", 1) == "{}, 1"); }

TEST_CASE("message: lists") {
  CHECK(joined_text(std::vector<std::int64_t>{1, 2, 3}, ", ") == "1, 2, 3");
  CHECK(joined_text(std::vector<std::string>{}, ", ").empty());
  CHECK(joined_text(std::vector<std::string>{"", "b"}, ",") == ",b");
}
