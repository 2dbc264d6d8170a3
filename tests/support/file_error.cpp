// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/support/file_error.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("file_error: the code says what is wrong") {
  const auto code = [](failure kind) {
    const file_error e(kind, "m", "h");
    return e.diagnostics()[0].code;
  };
  CHECK(code(failure::malformed) == "file.malformed");
  CHECK(code(failure::unsafe) == "file.refused");
  CHECK(code(failure::io) == "file.io");
  CHECK(file_error(failure::io, "m", "h").diagnostics()[0].help == "h");
}
