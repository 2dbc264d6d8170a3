// SPDX-License-Identifier: Apache-2.0
#include "../../fuzz/conversion.hpp"
#include "catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

TEST_CASE("fuzzing: texts that once crashed a conversion are converted or refused") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(JAX2ONNX_SOURCE_DIR "/fuzz/regressions")) {
    if (entry.path().extension() != ".jaxpr") continue;
    INFO(entry.path());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CHECK_NOTHROW(fuzz::convert_text(text));
    ++count;
  }
  CHECK(count > 0);
}
