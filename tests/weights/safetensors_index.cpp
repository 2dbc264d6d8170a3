// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/weights/safetensors_index.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

namespace {

std::string one(std::string_view name, float value) {
  return safetensors(fmt::format(R"({{"{}":{{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}}})", name),
                     raw<float>({value}));
}

}  // namespace

TEST_CASE("safetensors index: the tensors of all shards, in order of the shards' names") {
  const temporary_directory dir;
  dir.write("2.safetensors", one("a", 1));
  dir.write("1.safetensors", one("b", 2));
  const auto ws = read_weights(dir.write("m.safetensors.index.json",
                                         R"({"metadata": {"total_size": 8, "x": [1.5, {"y": null}]},
                                             "weight_map": {"a": "2.safetensors", "b": "1.safetensors"}})"));
  REQUIRE(ws.size() == 2);
  CHECK(ws[0].name == "b");
  CHECK(streamed(ws[1]) == raw<float>({1}));
}

TEST_CASE("safetensors index: metadata can say the order of constvars") {
  const temporary_directory dir;
  dir.write("1.safetensors", one("b", 2));
  dir.write("2.safetensors", one("a", 1));
  const auto ws = read_weights(dir.write("i.json", R"({"metadata": {"jax2onnx.constvars": "[\"a\", \"b\"]"},
                                                      "weight_map": {"a": "2.safetensors", "b": "1.safetensors"}})"));
  REQUIRE(ws.size() == 2);
  CHECK(ws[0].name == "a");
}

TEST_CASE("safetensors index: hostile and wrong indices are refused") {
  const temporary_directory dir;
  const temporary_directory elsewhere;
  dir.write("s.safetensors", one("a", 1));
  std::filesystem::create_symlink(elsewhere.write("s.safetensors", one("a", 1)), dir / "link.safetensors");
  const auto map = [](std::string_view content) { return fmt::format(R"({{"weight_map": {{{}}}}})", content); };
  const std::pair<std::string, const char*> rows[] = {
      {map(R"("a": "../s.safetensors")"), "unsafe: FILE: '../s.safetensors': a shard has to be a bare file name"},
      {map(R"("a": "/etc/passwd")"), "unsafe: FILE: '/etc/passwd': a shard has to be a bare file name"},
      {map(R"("a": "")"), "unsafe: FILE: a shard has to be a bare file name"},
      {map(R"("a": "..")"), "unsafe: FILE: '..': a shard has to be a bare file name"},
      {map(R"("a": "s\u0000")"), "unsafe: FILE: 's\\x00': a shard has to be a bare file name"},
      {map(R"("a": "link.safetensors")"), "unsafe: FILE: 'link.safetensors': the shard is a link that leads out"},
      {map(R"("a": "none.safetensors")"), "io: FILE: 'none.safetensors': the shard cannot be opened: No such file"},
      {map(R"("b": "s.safetensors")"),
       "malformed: FILE: 'a': is in s.safetensors, but the index does not list it there"},
      {map(R"("a": "s.safetensors", "b": "s.safetensors")"), "malformed: FILE: the shards lack tensors"},
      {map(R"("a": "s.safetensors", "a": "s.safetensors")"), "unsafe: FILE: 'a': the tensor appears twice"},
      {map(R"("a": {})"), "malformed: FILE: 'a': a shard's file name is expected"},
      {map(R"("a": 1)"), "malformed: FILE: 'a': a shard's file name is expected"},
      {R"({"weight_map": []})", "malformed: FILE: the index has no weight_map"},
      {R"({"weight_map": {}, "weight_map": {}})", "unsafe: FILE: the key 'weight_map' appears twice"},
      {R"({"other": {}})", "malformed: FILE: the key 'other' is unknown"},
      {R"({"metadata": {"a": [[[[1]]]]}})", "unsafe: FILE: 'a': the JSON text is nested too deeply"},
      {R"({"metadata": {}})", "malformed: FILE: the index has no weight_map"},
      {R"({"metadata": )", "malformed: FILE: the JSON text is damaged"},
  };
  for (const auto& [content, error] : rows) {
    const auto file = dir.write("i.json", content);
    std::string expected = error;
    expected.replace(expected.find("FILE"), 4, file.string());
    CHECK_THAT(error_of([&] { read_all(file); }), Contains(expected));
  }
}

TEST_CASE("safetensors index: shards may be links to where the index is, as in the Hugging Face cache") {
  const temporary_directory dir;
  std::filesystem::create_directories(dir / "blobs");
  std::filesystem::create_directories(dir / "snapshot");
  dir.write("blobs/1", one("a", 1));
  dir.write("blobs/2", R"({"weight_map": {"a": "m.safetensors"}})");
  std::filesystem::create_symlink("../blobs/1", dir / "snapshot/m.safetensors");
  std::filesystem::create_symlink("../blobs/2", dir / "snapshot/i.json");
  CHECK(read_weights(dir / "snapshot/i.json").size() == 1);
}
