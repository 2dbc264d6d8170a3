// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <csignal>
#include <thread>

#include <jax2onnx/emit/uninterrupted.hpp>

#include <sys/wait.h>
#include <unistd.h>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

namespace {

bool appears(const std::filesystem::path& file) {
  for (int i = 0; i < 5000 && !std::filesystem::exists(file); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return std::filesystem::exists(file);
}

}  // namespace

TEST_CASE("uninterrupted: work that is killed itself is an error") {
  CHECK_THROWS_WITH(uninterrupted([] { ::raise(SIGKILL); }), Contains("was killed"));
}

TEST_CASE("uninterrupted: work goes on when the process is killed") {
  const temporary_directory dir;
  const pid_t victim = ::fork();
  REQUIRE(victim >= 0);
  if (victim == 0) {
    uninterrupted([&] {
      dir.write("first", "");
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      dir.write("second", "");
    });
    ::_exit(0);
  }
  REQUIRE(appears(dir / "first"));
  ::kill(victim, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(victim, &status, 0) == victim);
  CHECK(WIFSIGNALED(status));
  CHECK(appears(dir / "second"));
}
