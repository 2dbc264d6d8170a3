#include "catch.hpp"

#include <string>

#include <jax2onnx/support/progress.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("progress_sink: holds what hears it, or nothing") {
  CHECK_FALSE(progress_sink());
  std::string heard;
  const progress_sink sink = [&](std::string_view phase, std::uint64_t done, std::uint64_t total) {
    heard = std::string(phase) + std::to_string(done) + "/" + std::to_string(total);
  };
  sink("lowering", 1, 0);
  CHECK(heard == "lowering1/0");
}
