// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/weights/npy.hpp>
#include <jax2onnx/weights/npz.hpp>
#include <jax2onnx/weights/safetensors.hpp>
#include <jax2onnx/weights/safetensors_index.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;

namespace {

std::vector<std::filesystem::path> files_below(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

}  // namespace

TEST_CASE("fuzzing: inputs that once crashed a reader are read or refused") {
  for (const auto& file : files_below(JAX2ONNX_SOURCE_DIR "/fuzz/regressions")) {
    INFO(file);
    CHECK_NOTHROW(error_of([&] { read_all(file); }));
  }
}

TEST_CASE("fuzzing: the seeds are sound") {
  const auto seeds = files_below(JAX2ONNX_SOURCE_DIR "/fuzz/seeds");
  CHECK(seeds.size() >= 9);
  for (const auto& file : seeds)
    if (file.extension() != ".onnx") CHECK(error_of([&] { read_all(file); }) == "no error");
}
