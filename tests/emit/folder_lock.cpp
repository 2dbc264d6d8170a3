// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/emit/folder_lock.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

TEST_CASE("folder_lock: one writer at a time, and no file is left") {
  const temporary_directory dir;
  {
    const folder_lock first(dir.path());
    CHECK(first.held());
    CHECK_THROWS_WITH(folder_lock(dir.path(), std::chrono::milliseconds(5)),
                      Contains("another process keeps the folder locked"));
  }
  CHECK(folder_lock(dir.path()).held());
  CHECK(std::filesystem::is_empty(dir.path()));
}

TEST_CASE("folder_lock: a folder that cannot be opened has no lock") {
  const temporary_directory dir;
  const folder_lock lock(dir / "none");
  CHECK_FALSE(lock.held());
  lock.sync();
}

TEST_CASE("directory_of: a bare name lies in the working directory") {
  CHECK(directory_of("a/b") == "a");
  CHECK(directory_of("b") == ".");
  CHECK(directory_of("/b") == "/");
}
