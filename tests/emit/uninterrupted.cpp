// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/emit/uninterrupted.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;

TEST_CASE("uninterrupted: work changes the memory of this process, and throws into it") {
  std::string text;
  uninterrupted([&] { text = std::string(100, 'x'); });
  CHECK(text == std::string(100, 'x'));
  CHECK_THROWS_WITH(uninterrupted([] { throw file_error(failure::io, "no space"); }), "no space");
}
