// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "emit/graphs.hpp"

#include <csignal>

#include <jax2onnx/emit/output_file.hpp>
#include <jax2onnx/support/input_file.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// Returns whether the file system supports unnamed files; not every one does.
bool has_unnamed_files(const temporary_directory& dir) {
  const file_descriptor file(platform::create_unnamed(dir.path(), true));
  return file.get() >= 0;
}

}  // namespace

TEST_CASE("output_file: the mode of the old file stays, a new file gets that of the umask") {
  const temporary_directory dir;
  const auto commit = [](const std::filesystem::path& path, const std::filesystem::path& like = {}) {
    output_file f(path, like);
    put(f, "new");
    f.sync();
    f.commit();
    struct stat s {};
    REQUIRE(::lstat(path.c_str(), &s) == 0);
    return s.st_mode & 07777;
  };
  const auto old = dir.write("m.onnx", "old");
  for (const unsigned mode : {0600u, 0640u, 0666u, 0444u}) {
    REQUIRE(::chmod(old.c_str(), mode) == 0);
    CHECK(commit(old) == mode);
    CHECK(commit(dir / fmt::format("m.onnx.{}.data", mode), old) == mode);
  }
  const mode_t mask = ::umask(0027);
  CHECK(commit(dir / "fresh.onnx") == 0640);
  std::filesystem::create_symlink("m.onnx", dir / "link");
  REQUIRE(::chmod(old.c_str(), 0666) == 0);
  CHECK(commit(dir / "link") == 0666);  // the permissions of the link's target
  ::umask(mask);
}

TEST_CASE("output_file: the owner of the old file stays where the system allows it") {
  if (::geteuid() != 0) return;  // only root can change the owner
  const temporary_directory dir;
  const auto path = dir.write("m.onnx", "old");
  REQUIRE(::chown(path.c_str(), 12, 34) == 0);
  output_file f(path);
  f.sync();
  f.commit();
  struct stat s {};
  REQUIRE(::stat(path.c_str(), &s) == 0);
  CHECK(s.st_uid == 12);
  CHECK(s.st_gid == 34);
}

TEST_CASE("output_file: what a killed process left over is used again") {
  const temporary_directory dir;
  const auto path = dir.write("m.onnx", "old");
  if (!has_unnamed_files(dir)) return;
  dir.write(output_file::temporary_name(path).filename().string(), "left over");
  output_file f(path);
  put(f, "new");
  f.sync();
  f.commit();
  CHECK(read_file(path) == "new");
  CHECK(files_in(dir) == 1);
}

TEST_CASE("output_file: devices are written, not replaced") {
  output_file f("/dev/null");
  put(f, "x");
  f.sync();
  f.commit();
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("output_file: an open descriptor is written, not replaced") {
  const temporary_directory dir;
  const auto path = dir.write("m.onnx", "longer than the new one");
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  std::filesystem::create_symlink(fmt::format("/proc/self/fd/{}", fd), dir / "link");
  for (const auto& target : {std::filesystem::path(fmt::format("/dev/fd/{}", fd)), dir / "link"}) {
    output_file f(target);
    put(f, "new");
    f.sync();
    f.commit();
    CHECK(read_file(path) == "new");
  }
  CHECK(std::filesystem::is_symlink(dir / "link"));
  CHECK(files_in(dir) == 2);
  ::close(fd);
}

namespace {

/// Zeros that call a function when half of them are read.
class interrupted_zeros final : public byte_source {
 public:
  explicit interrupted_zeros(std::function<void()> halfway) : halfway_(std::move(halfway)) {}
  std::uint64_t size() const override { return 2 * half; }
  void stream(const sink& out) const override {
    const std::vector<std::byte> piece(half);
    out(piece);
    halfway_();
    out(piece);
  }
  static constexpr std::int64_t half = 1 << 20;

 private:
  std::function<void()> halfway_;
};

void write_interrupted(const std::filesystem::path& out, weights_placement placement, std::function<void()> halfway) {
  graph g;
  test_graphs::outputs(g, {g.constant({dtype::u8, {2 * interrupted_zeros::half}},
                                      bytes(std::make_shared<const interrupted_zeros>(std::move(halfway))), "w")});
  emit_options options;
  options.external.placement = placement;
  write_model(g, options, out);
}

}  // namespace

TEST_CASE("output_file: a process that is killed while it writes leaves the old files as they were") {
  for (const auto placement : {weights_placement::in_model, weights_placement::data_file}) {
    const temporary_directory dir;
    dir.write("m.onnx", "old model");
    dir.write("m.onnx.data", "old data");
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      write_interrupted(dir / "m.onnx", placement, [] { ::raise(SIGKILL); });
      ::_exit(1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(read_file(dir / "m.onnx") == "old model");
    CHECK(read_file(dir / "m.onnx.data") == "old data");
    if (has_unnamed_files(dir)) CHECK(files_in(dir) == 2);
  }
}

TEST_CASE("output_file: a disk that is full leaves the old files as they were, and nothing else") {
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  for (const auto placement : {weights_placement::in_model, weights_placement::data_file}) {
    const temporary_directory dir;
    dir.write("m.onnx", "old model");
    dir.write("m.onnx.data", "old data");
    const rlimit limit{1'500'000, old_limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    CHECK_THROWS_WITH(write_interrupted(dir / "m.onnx", placement, [] {}), Contains("cannot write: File too large"));
    ::setrlimit(RLIMIT_FSIZE, &old_limit);
    CHECK(read_file(dir / "m.onnx") == "old model");
    CHECK(read_file(dir / "m.onnx.data") == "old data");
    CHECK(files_in(dir) == 2);
  }
  std::signal(SIGXFSZ, old_handler);
}
