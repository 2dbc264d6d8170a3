#pragma once

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>
#include <utility>

#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/input_file.hpp>
#include <jax2onnx/support/message.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace jax2onnx::detail {

[[noreturn]] inline void throw_io(const std::filesystem::path& file, std::string_view action, int error) {
  throw file_error(failure::io, message("{}: cannot {}: {}", file.string(), action, std::strerror(error)));
}

/// Where a file lies, as a path that can be opened.
inline std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// The lock that a writer holds on a folder while it gives files their names there. It leaves no file, and ends with
/// the process. Not held on file systems without flock(2).
class folder_lock {
 public:
  /// Waits for other writers, which need microseconds. Throws file_error after `patience`.
  explicit folder_lock(const std::filesystem::path& folder, std::chrono::milliseconds patience = default_patience)
      : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (folder_.get() >= 0 && !held_) {
      held_ = ::flock(folder_.get(), LOCK_EX | LOCK_NB) == 0;
      if (held_ || (errno != EWOULDBLOCK && errno != EINTR)) return;
      if (std::chrono::steady_clock::now() >= end)
        throw file_error(failure::io, message("{}: another process keeps the folder locked", folder.string()));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  bool held() const { return held_; }
  /// Waits until the folder's new names are on disk, if the file system supports that.
  void sync() const {
    if (folder_.get() >= 0) ::fsync(folder_.get());
  }

 private:
  static constexpr std::chrono::seconds default_patience{10};
  file_descriptor folder_;
  bool held_ = false;
};

}  // namespace jax2onnx::detail
