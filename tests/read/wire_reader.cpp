// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <jax2onnx/read/wire_reader.hpp>
#include <jax2onnx/support/file_error.hpp>

using namespace jax2onnx;
using detail::wire_field;
using detail::wire_reader;
using detail::wire_source;
using namespace std::string_literals;

namespace {

std::vector<std::uint64_t> numbers(const std::string& message, wire_field::wire_type type) {
  wire_source source(message, "model");
  wire_reader reader(source, source.all());
  std::vector<std::uint64_t> out;
  for (wire_field f; reader.next(f);) reader.each(f, type, [&](std::uint64_t n) { out.push_back(n); });
  return out;
}

bool is_damaged(const std::string& message) {
  try {
    numbers(message, wire_field::varint);
  } catch (const file_error& e) {
    return e.kind() == failure::malformed;
  }
  return false;
}

}  // namespace

TEST_CASE("wire_reader: fields of all types") {
  wire_source source("\x08\x96\x01\x12\x07testing\x1d\x00\x00\x80\x3f\x21\x01\x02\x03\x04\x05\x06\x07\x08"s, "model");
  wire_reader reader(source, source.all());
  wire_field f;
  REQUIRE(reader.next(f));
  CHECK(f.number == 1);
  CHECK(reader.integer(f) == 150);
  CHECK_THROWS_AS(reader.text(f), file_error);
  REQUIRE(reader.next(f));
  CHECK(reader.text(f) == "testing");
  REQUIRE(reader.next(f));
  CHECK(reader.number(f) == 1.0f);
  REQUIRE(reader.next(f));
  CHECK(f.scalar == 0x0807060504030201u);
  CHECK_FALSE(reader.next(f));
}

TEST_CASE("wire_reader: repeated numbers are packed or not") {
  CHECK(numbers("\x08\x01\x08\x96\x01\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s, wire_field::varint) ==
        std::vector<std::uint64_t>{1, 150, UINT64_MAX});
  CHECK(numbers("\x0a\x03\x01\x96\x01"s, wire_field::varint) == std::vector<std::uint64_t>{1, 150});
  CHECK(numbers("\x0a\x08\x01\x00\x00\x00\x02\x00\x00\x00"s, wire_field::fixed32) == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("wire_reader: damaged messages are refused") {
  for (const std::string& message :
       {"\x08"s, "\x08\x80"s, "\x0a\x02\x01"s, "\x0a\x01\x80"s, "\x00\x01"s, "\x0b"s, "\x0d\x01\x02"s, "\x0e\x01"s,
        "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s, "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s})
    CHECK(is_damaged(message));
}
