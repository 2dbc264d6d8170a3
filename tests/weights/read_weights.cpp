// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/weights/read_weights.hpp>
#include <jax2onnx/weights/weight.hpp>
#include <jax2onnx/weights/weights_file.hpp>

using namespace jax2onnx;
using namespace test_files;
using Catch::Matchers::Contains;

namespace {

const std::string pair = raw<float>({1, 2});

}  // namespace

TEST_CASE("read weights: files are told apart by their content") {
  const temporary_directory dir;
  const std::string array = npy("<f4", "(2,)", pair);
  CHECK(read_weights(dir.write("renamed.bin", array)).at(0).name == "renamed");
  CHECK(read_weights(dir.write("renamed.npy", archive({{"a.npy", array}}))).at(0).name == "a");
  const std::string header = R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  CHECK(read_weights(dir.write("no_ending", safetensors(header, pair))).at(0).name == "t");
}

TEST_CASE("read weights: other files are refused") {
  const temporary_directory dir;
  CHECK_THROWS_WITH(read_weights(dir.write("empty.npz", "")), Contains("is empty"));
  CHECK_THROWS_WITH(read_weights(dir.write("w.pkl", "\x80\x04")), Contains("pickles are never read"));
  CHECK_THROWS_AS(read_weights(dir / "missing.npz"), file_error);
}

TEST_CASE("read weights: errors are jax2onnx::error and say why") {
  const temporary_directory dir;
  try {
    read_weights(dir / "missing.npz");
    FAIL("read");
  } catch (const error& e) {
    CHECK(e.kind() == failure::io);
    CHECK(e.diagnostics().front().code == "file.io");
    CHECK_THAT(e.what(), Contains("missing.npz"));
  }
}

TEST_CASE("read weights: constvar order leaves out what is not listed") {
  weights_file file;
  file.weights.resize(3);
  file.weights[0].name = "a";
  file.weights[1].name = "b";
  file.weights[2].name = "c";
  CHECK(in_constvar_order(file, "FILE").size() == 3);
  file.constvars = {"c", "a"};
  const auto ordered = in_constvar_order(file, "FILE");
  REQUIRE(ordered.size() == 2);
  CHECK(ordered[0].name == "c");
  file.constvars = {"d"};
  CHECK_THROWS_WITH(in_constvar_order(file, "FILE"), Contains("FILE") && Contains("'d'") && Contains("no such tensor"));
}

TEST_CASE("read weights: a weights map is a JSON list of keys") {
  CHECK(parse_weights_map(R"(["a", "b"])", "MAP") == std::vector<std::string>{"a", "b"});
  CHECK_THROWS_WITH(parse_weights_map("{}", "MAP"), Contains("MAP: "));
}
