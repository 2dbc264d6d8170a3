// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __linux__

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>

#include <jaxpr/config.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace jax2onnx::platform {

namespace detail {

/// The folder with the lists of open files, /proc/PID/fd.
inline constexpr std::string_view open_files = "/proc/";

/// Runs `work` in a child process that shares the memory, while this thread waits for it (vfork). If no process can be
/// started, `work` runs in this process. Returns the result of `work`: the child passes it on by its exit status, since
/// emulators do not share memory.
inline bool run_protected(bool (*work)(void*), void* argument) {
  // NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.vfork): the memory is to be shared
  const ::pid_t child = ::vfork();
  if (child == 0) {
    ::setsid();  // a signal to the process group does not end the child either
    ::_exit(work(argument) ? 0 : 1);
  }
  if (child < 0) return work(argument);
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status == 0;
}

}  // namespace detail

// An unnamed file gets its name by a link to its entry in /proc.
JAX2ONNX_INLINE int create_unnamed(const std::filesystem::path& folder, bool secret) {
  if (::access("/proc/self/fd", X_OK) != 0) return -1;
  return ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, secret ? 0600 : 0666);
}

JAX2ONNX_INLINE bool name_file(int file, const std::filesystem::path& name) {
  const std::string entry = "/proc/self/fd/" + std::to_string(file);
  return ::linkat(AT_FDCWD, entry.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

JAX2ONNX_INLINE bool sync_file(int file) { return ::fsync(file) == 0; }

}  // namespace jax2onnx::platform

#endif
