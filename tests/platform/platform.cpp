// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <array>
#include <cerrno>
#include <string>

#include <jax2onnx/platform/platform.hpp>

using namespace jax2onnx;
using namespace test_files;
using Catch::Matchers::Contains;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string read_at(int file, std::uint64_t offset, std::size_t size) {
  std::string text(size, '\0');
  const std::int64_t count = platform::read_some_at(file, offset, std::as_writable_bytes(std::span(text)));
  text.resize(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
  return text;
}

}  // namespace

TEST_CASE("platform: a file is read from any place, up to its end") {
  const temporary_directory dir;
  const int file = platform::open_to_read(dir.write("f", "line\r\n\x1a more"), true);
  REQUIRE(file >= 0);
  platform::file_info info;
  CHECK(platform::describe(file, info));
  CHECK(info.kind == platform::file_kind::regular);
  CHECK(info.size == 12);
  CHECK(read_at(file, 4, 5) == "\r\n\x1a m");
  CHECK(read_at(file, 8, 99) == "more");
  CHECK(read_at(file, 12, 1).empty());
  CHECK(read_at(file, 99, 1).empty());
  platform::close_file(file);
}

TEST_CASE("platform: a folder is told from a file") {
  const temporary_directory dir;
  const int folder = platform::open_to_read(dir.path(), false);
  REQUIRE(folder >= 0);
  platform::file_info info;
  CHECK(platform::describe(folder, info));
  CHECK(info.kind == platform::file_kind::directory);
  platform::close_file(folder);
}

TEST_CASE("platform: what fails says why in errno") {
  const temporary_directory dir;
  CHECK(platform::open_to_read(dir / "none", false) == -1);
  CHECK(errno == ENOENT);
  CHECK(platform::create_file(dir / "none/f", false) == -1);
  CHECK(errno == ENOENT);
  CHECK(platform::create_file(dir.write("there", ""), false) == -1);
  CHECK(errno == EEXIST);
  CHECK_THAT(platform::error_text(ENOENT), Contains("No such file"));
  platform::file_info info;
  CHECK_FALSE(platform::describe(-1, info));
}

TEST_CASE("platform: what seek skips reads as zeros") {
  const temporary_directory dir;
  const int file = platform::create_file(dir / "f", false);
  REQUIRE(file >= 0);
  CHECK(platform::write_some(file, bytes_of("a\n")) == 2);
  CHECK(platform::seek(file, 4));
  CHECK(platform::write_some(file, bytes_of("b")) == 1);
  CHECK(platform::sync_file(file));
  platform::close_file(file);
  CHECK(read_file(dir / "f") == std::string("a\n\0\0b", 5));
}

TEST_CASE("platform: a file that is written replaces another one, and can be removed") {
  const temporary_directory dir;
  const auto old = dir.write("old", "old");
  const int file = platform::create_file(dir / "new", false);
  REQUIRE(file >= 0);
  CHECK(platform::write_some(file, bytes_of("new")) == 3);
  std::filesystem::rename(dir / "new", old);
  CHECK(read_file(old) == "new");
  CHECK(std::filesystem::remove(old));
  platform::close_file(file);
}

TEST_CASE("platform: an unnamed file has no name before it gets one, and replaces none") {
  const temporary_directory dir;
  const int file = platform::create_unnamed(dir.path(), false);
  if (file < 0) return;  // not every file system supports them
  CHECK(platform::write_some(file, bytes_of("x")) == 1);
  CHECK(std::filesystem::is_empty(dir.path()));
  CHECK_FALSE(platform::name_file(file, dir.write("taken", "")));
  CHECK(errno == EEXIST);
  CHECK(platform::name_file(file, dir / "f"));
  CHECK(read_file(dir / "f") == "x");
  platform::close_file(file);
}

TEST_CASE("platform: a temporary file vanishes") {
  const temporary_directory dir;
  const int file = platform::create_temporary(dir.path());
  REQUIRE(file >= 0);
  CHECK(platform::write_some(file, bytes_of("text")) == 4);
  CHECK(read_at(file, 1, 2) == "ex");
  platform::close_file(file);
  CHECK(std::filesystem::is_empty(dir.path()));
}

TEST_CASE("platform: one lock on a folder at a time") {
  const temporary_directory dir;
  platform::folder_lock second(dir.path());
  {
    platform::folder_lock first(dir.path());
    CHECK(first.try_lock() == platform::lock_state::held);
    CHECK(second.try_lock() == platform::lock_state::busy);
    first.sync();
  }
  CHECK(second.try_lock() == platform::lock_state::held);
  CHECK(std::filesystem::is_empty(dir.path()));
  CHECK(platform::folder_lock(dir / "none").try_lock() == platform::lock_state::unavailable);
}

TEST_CASE("platform: run_to_end returns what the work returns") {
  bool answer = true;
  const auto work = [](void* a) { return *static_cast<bool*>(a); };
  CHECK(platform::run_to_end(work, &answer));
  answer = false;
  CHECK_FALSE(platform::run_to_end(work, &answer));
}

TEST_CASE("platform: a file is not a terminal") {
  const temporary_directory dir;
  const int file = platform::create_file(dir / "f", true);
  CHECK_FALSE(platform::is_terminal(file));
  CHECK(platform::terminal_width(file) == 0);
  CHECK_FALSE(platform::names_open_file(dir / "f"));
  platform::close_file(file);
}
