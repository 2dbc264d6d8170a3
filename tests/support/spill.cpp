// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/support/spill.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;

TEST_CASE("spill: a file without a name has all bytes") {
  const std::string content(3 << 20, 'x');
  const auto file = spill(bytes(content));
  REQUIRE(file->size() == content.size());
  CHECK(file->read_string(0, 4) == "xxxx");
  CHECK(file->read_string(content.size() - 2, 2) == "xx");
  CHECK(file->path().filename() == "(temporary)");
  CHECK_FALSE(std::filesystem::exists(file->path()));
  CHECK(spill(bytes())->size() == 0);
}
