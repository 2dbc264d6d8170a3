// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <limits>
#include <string>

#include <jax2onnx/emit/wire.hpp>

using jax2onnx::detail::wire_writer;
using namespace std::string_literals;

// The examples are from protobuf.dev/programming-guides/encoding.
TEST_CASE("wire: integers are varints, negative ones have ten bytes") {
  std::string out;
  wire_writer to(out);
  to.integer(1, 150);
  CHECK(out == "\x08\x96\x01"s);
  out.clear();
  to.integer(1, -2);
  CHECK(out == "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"s);
  out.clear();
  to.integer(20, 0);
  CHECK(out == "\xa0\x01\x00"s);
}

TEST_CASE("wire: texts have a length, floats four bytes, little endian") {
  std::string out;
  wire_writer to(out);
  to.text(2, "testing");
  CHECK(out == "\x12\x07testing"s);
  out.clear();
  to.number(2, 1.0f);
  CHECK(out == "\x15\x00\x00\x80\x3f"s);
}

TEST_CASE("wire: the length of a message is that of its fields, also beyond 127 bytes") {
  std::string out;
  wire_writer to(out);
  to.message(3, [&] { to.integer(1, 150); });
  CHECK(out == "\x1a\x03\x08\x96\x01"s);
  out.clear();
  to.message(1, [&] { to.message(1, [&] { to.text(1, std::string(200, 'x')); }); });
  CHECK(out == "\x0a\xce\x01\x0a\xcb\x01\x0a\xc8\x01"s + std::string(200, 'x'));
  out.clear();
  to.message(1, [] {});
  CHECK(out == "\x0a\x00"s);
}

TEST_CASE("wire: a field whose bytes follow later") {
  std::string out;
  wire_writer(out).length(9, std::uint64_t{1} << 32);
  CHECK(out == "\x4a\x80\x80\x80\x80\x10"s);
}
