// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/rewrite/weights/nibbles.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;

TEST_CASE("nibbles: the lower half of a byte comes first") {
  const unpacked_source halves(bytes(std::string("\x21\x43")), 4);
  CHECK(halves.size() == 4);
  CHECK(in_memory(halves) == std::string("\1\2\3\4"));
  CHECK(in_memory(packed_source(bytes(std::string("\1\2\3\4")))) == "\x21\x43");
}

TEST_CASE("nibbles: an odd number of them") {
  CHECK(in_memory(unpacked_source(bytes(std::string("\x21\x03")), 3)) == std::string("\1\2\3"));
  const packed_source both(bytes(std::string("\1\2\3")));
  CHECK(both.size() == 2);
  CHECK(in_memory(both) == "\x21\x03");
}

TEST_CASE("nibbles: only the lower halves of bytes are packed") {
  CHECK(in_memory(packed_source(bytes(std::string("\xff\xf8")))) == "\x8f");
}
