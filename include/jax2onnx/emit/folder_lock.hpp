// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>

#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

[[noreturn]] inline void throw_io(const std::filesystem::path& file, std::string_view action, int error) {
  throw file_error(failure::io, message("{}: cannot {}: {}", file.string(), action, platform::error_text(error)));
}

/// The directory of a file, as a path that can be opened.
inline std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// The lock that a writer holds on a folder while it gives files their names there. It leaves no file, and ends with
/// the process. On file systems without locks it is not held.
class folder_lock {
 public:
  /// Waits for other writers, which hold the lock for microseconds. Throws file_error after `patience`.
  explicit folder_lock(const std::filesystem::path& folder, std::chrono::milliseconds patience = default_patience)
      : lock_(folder) {
    const auto end = std::chrono::steady_clock::now() + patience;
    auto state = lock_.try_lock();
    for (; state == platform::lock_state::busy; state = lock_.try_lock()) {
      if (std::chrono::steady_clock::now() >= end)
        throw file_error(failure::io, message("{}: another process keeps the folder locked", folder.string()));
      platform::wait_briefly();
    }
    held_ = state == platform::lock_state::held;
  }
  bool held() const { return held_; }
  /// Waits until the folder's new names are on disk, if the file system supports that.
  void sync() const { lock_.sync(); }

 private:
  static constexpr std::chrono::seconds default_patience{10};
  platform::folder_lock lock_;
  bool held_ = false;
};

}  // namespace jax2onnx::detail
