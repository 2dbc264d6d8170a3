// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/support/input_file.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

TEST_CASE("input_file: what is not a regular file cannot be read") {
  const temporary_directory dir;
  CHECK_THAT(error_of([&] { input_file file(dir / "none"); }),
             Contains("io: ") && Contains("none: No such file or directory"));
  CHECK_THAT(error_of([&] { input_file file(dir.path()); }), Contains("is a directory"));
}

TEST_CASE("input_file: an empty file") {
  const temporary_directory dir;
  const input_file file(dir.write("empty", ""));
  CHECK(file.size() == 0);
  CHECK(file.read_string(0, 0).empty());
  CHECK(file.contains(0, 0));
  CHECK_FALSE(file.contains(0, 1));
  CHECK_FALSE(file.contains(1, ~std::uint64_t{0}));
}

TEST_CASE("input_file: a file that is cut short while it is read is an error, however little is read") {
  const temporary_directory dir;
  for (const std::string_view name : {"w.npy", "w.npz"}) {
    const std::string array = npy("<f4", "(2,)", raw<float>({1, 2}));
    const auto path = dir.write(name, name == "w.npy" ? array : archive({{.name = "a.npy", .content = array}}));
    const auto ws = read_weights(path);
    std::filesystem::resize_file(path, 130);
    CHECK_THAT(error_of([&] { streamed(ws[0]); }), Contains("io: ") && Contains("was truncated"));
    CHECK_THAT(error_of([&] { ws[0].data->view(); }), Contains("io: ") && Contains("was truncated"));
    CHECK_THAT(error_of([&] { ws[0].data->view(); }), Contains("io: ") && Contains("was truncated"));
  }
}

TEST_CASE("input_file: what was viewed stays when the file is cut short") {
  const temporary_directory dir;
  const auto path = dir.write("w.npy", npy("<f4", "(2,)", raw<float>({1, 2})));
  const auto ws = read_weights(path);
  const auto view = ws[0].data->view();
  std::filesystem::resize_file(path, 0);
  CHECK(std::string(reinterpret_cast<const char*>(view.data()), view.size()) == raw<float>({1, 2}));
}

TEST_CASE("input_file: weights of 4 GiB are not read before they are needed") {
  const temporary_directory dir;
  const std::uint64_t bytes = std::uint64_t{4} << 30;
  const std::string header =
      fmt::format(R"({{"w":{{"dtype":"U8","shape":[{}],"data_offsets":[0,{}]}}}})", bytes, bytes);
  const std::string front = safetensors(header, "");
  {
    const file_descriptor file(platform::create_file(dir / "w.safetensors", false));
    platform::write_some(file.get(), std::as_bytes(std::span(front)));
    REQUIRE(platform::seek(file.get(), front.size() + bytes - 1));  // a hole
    REQUIRE(platform::write_some(file.get(), std::as_bytes(std::span("", 1))) == 1);
  }
  const auto ws = read_weights(dir / "w.safetensors");
  CHECK(ws[0].data->size() == bytes);
  CHECK(ws[0].data->view().empty());
  std::byte last{1};
  CHECK(ws[0].data->read(bytes - 1, std::span(&last, 1)));
  CHECK(last == std::byte{0});
}
