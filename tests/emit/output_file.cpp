// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/emit/output_file.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

namespace {

void put(const output_file& f, std::string_view s) {
  write_all(f.fd(), std::as_bytes(std::span(s.data(), s.size())), f.target());
}

std::size_t files_in(const temporary_directory& dir) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(dir.path()), {}));
}

}  // namespace

TEST_CASE("output_file: the old file stays until the new one is committed") {
  const temporary_directory dir;
  const auto path = dir.write("m.onnx", "old");
  output_file f(path);
  put(f, "new");
  CHECK(read_file(path) == "old");
  f.sync();
  CHECK(read_file(path) == "old");
  f.commit();
  CHECK(read_file(path) == "new");
  CHECK(files_in(dir) == 1);
}

TEST_CASE("output_file: what is not committed leaves no trace") {
  const bool synced = GENERATE(false, true);
  const temporary_directory dir;
  const auto path = dir.write("m.onnx", "old");
  {
    output_file f(path);
    put(f, "new");
    if (synced) f.sync();
    CHECK(read_file(path) == "old");
  }
  CHECK(read_file(path) == "old");
  CHECK(files_in(dir) == 1);
}

TEST_CASE("output_file: a link is replaced, not followed") {
  const temporary_directory dir;
  const auto victim = dir.write("victim", "precious");
  std::filesystem::create_symlink("victim", dir / "m.onnx");
  output_file f(dir / "m.onnx");
  put(f, "new");
  f.sync();
  f.commit();
  CHECK(read_file(victim) == "precious");
  CHECK(read_file(dir / "m.onnx") == "new");
}

TEST_CASE("output_file: what cannot be written is an I/O error that says so") {
  const temporary_directory dir;
  const auto error = [](const std::filesystem::path& p) {
    try {
      output_file f(p);
    } catch (const file_error& e) {
      return (e.kind() == failure::io ? "io: " : "") + std::string(e.what());
    }
    return std::string("no error");
  };
  CHECK_THAT(error(dir.path()), Contains("io: ") && Contains("Is a directory"));
  CHECK_THAT(error(dir / "none/m.onnx"),
             Contains("io: ") && Contains("none/m.onnx: cannot create: No such file or directory"));
}

TEST_CASE("output_file: a long name has room for the temporary one") {
  const temporary_directory dir;
  output_file f(dir / std::string(250, 'm'));
  f.sync();
  f.commit();
  CHECK(files_in(dir) == 1);
}
