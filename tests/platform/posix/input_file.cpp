// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/support/input_file.hpp>

#include <sys/stat.h>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

TEST_CASE("input_file: pipes and devices cannot be read, and nobody waits for them") {
  const temporary_directory dir;
  REQUIRE(::mkfifo((dir / "pipe").c_str(), 0600) == 0);
  CHECK_THAT(error_of([&] { input_file file(dir / "pipe"); }), Contains("is not a regular file"));
  CHECK_THAT(error_of([&] { input_file file("/dev/zero"); }), Contains("is not a regular file"));
}
