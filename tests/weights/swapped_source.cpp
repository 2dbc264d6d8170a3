// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/weights/swapped_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;

TEST_CASE("swapped_source: every word is turned around") {
  const temporary_directory dir;
  const auto file = std::make_shared<const input_file>(dir.write("data", "abcdefgh"));
  const auto inner = std::make_shared<const file_source>(file, 0, 8);
  CHECK(in_memory(swapped_source(inner, 2)) == "badcfehg");
  CHECK(in_memory(swapped_source(inner, 4)) == "dcbahgfe");
  CHECK(in_memory(swapped_source(inner, 8)) == "hgfedcba");
  CHECK(in_memory(swapped_source(inner, 1)) == "abcdefgh");
  CHECK(swapped_source(inner, 2).size() == 8);
}
