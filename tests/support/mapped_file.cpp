#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/support/mapped_file.hpp>

#include <sys/stat.h>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

TEST_CASE("mapped_file: what is no regular file cannot be read") {
  const temporary_directory dir;
  CHECK_THAT(error_of([&] { mapped_file file(dir / "none"); }),
             Contains("io: ") && Contains("none: No such file or directory"));
  CHECK_THAT(error_of([&] { mapped_file file(dir.path()); }), Contains("is a directory"));
  REQUIRE(::mkfifo((dir / "pipe").c_str(), 0600) == 0);
  CHECK_THAT(error_of([&] { mapped_file file(dir / "pipe"); }), Contains("is no regular file"));
  CHECK_THAT(error_of([&] { mapped_file file("/dev/zero"); }), Contains("is no regular file"));
}

TEST_CASE("mapped_file: an empty file can be mapped and viewed") {
  const temporary_directory dir;
  const mapped_file file(dir.write("empty", ""));
  CHECK(file.size() == 0);
  CHECK(file.view(0, 0).empty());
  CHECK(file.contains(0, 0));
  CHECK_FALSE(file.contains(0, 1));
  CHECK_FALSE(file.contains(1, ~std::uint64_t{0}));
}

TEST_CASE("mapped_file: a file that is cut short while it is read is an error") {
  const temporary_directory dir;
  const auto path = dir.write("w.npy", npy("<f4", "(2,)", raw<float>({1, 2})));
  const auto ws = read_weights(path);
  std::filesystem::resize_file(path, 130);
  CHECK_THAT(error_of([&] { streamed(ws[0]); }), Contains("io: ") && Contains("ended early"));
}

TEST_CASE("mapped_file: sparse files of 4 GiB are mapped, not read") {
  const temporary_directory dir;
  const std::uint64_t bytes = std::uint64_t{4} << 30;
  const std::string header =
      fmt::format(R"({{"w":{{"dtype":"U8","shape":[{}],"data_offsets":[0,{}]}}}})", bytes, bytes);
  const auto path = dir.write("w.safetensors", safetensors(header, ""));
  std::filesystem::resize_file(path, 8 + header.size() + bytes);
  const auto ws = read_weights(path);
  CHECK(ws[0].data->size() == bytes);
  CHECK(ws[0].data->view()[bytes - 1] == std::byte{0});
}
