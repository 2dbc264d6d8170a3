// SPDX-License-Identifier: Apache-2.0
#pragma once

#if !defined(_WIN32) && !defined(__wasi__)

#include <cerrno>
#include <csignal>
#include <ctime>
#include <string>
#include <system_error>

#include <jax2onnx/platform/platform.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <jax2onnx/platform/linux.inl.hpp>
#else
#include <jax2onnx/platform/unix.inl.hpp>
#endif

/// POSIX systems with processes, users and signals.
namespace jax2onnx::platform {

JAX2ONNX_INLINE int create_temporary(const std::filesystem::path& folder) {
  std::string name = (folder / "jax2onnx-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(name.c_str());
  return file;
}

JAX2ONNX_INLINE void take_over_owner(int file, const std::filesystem::path& like) {
  struct stat old {
  }, link{};
  if (::stat(like.c_str(), &old) != 0 || !S_ISREG(old.st_mode) || ::lstat(like.c_str(), &link) != 0) return;
  // A link has no permissions, and the owner of its target does not matter for the file that replaces the link.
  if (S_ISLNK(link.st_mode)) {
    ::fchmod(file, old.st_mode & 0777);
    return;
  }
  // Only root can change the owner; other users can give a file to a group that they belong to.
  if (::fchown(file, old.st_uid, old.st_gid) != 0 && ::fchown(file, static_cast<uid_t>(-1), old.st_gid) != 0) errno = 0;
  ::fchmod(file, old.st_mode & 0777);
}

// /dev/stdout, /dev/fd/3 and the like are links into the folder `open_files`, or files in that folder.
JAX2ONNX_INLINE bool names_open_file(const std::filesystem::path& file) {
  std::error_code none;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const std::string link = std::filesystem::read_symlink(file, none).string();
  return link.starts_with(detail::open_files) ||
         (std::filesystem::weakly_canonical(folder, none) / "").string().starts_with(detail::open_files);
}

JAX2ONNX_INLINE folder_lock::folder_lock(const std::filesystem::path& folder)
    : handle_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

JAX2ONNX_INLINE folder_lock::~folder_lock() {
  if (handle_ >= 0) ::close(static_cast<int>(handle_));
}

JAX2ONNX_INLINE lock_state folder_lock::try_lock() {
  if (handle_ < 0) return lock_state::unavailable;
  if (::flock(static_cast<int>(handle_), LOCK_EX | LOCK_NB) == 0) return lock_state::held;
  return errno == EWOULDBLOCK || errno == EINTR ? lock_state::busy : lock_state::unavailable;
}

JAX2ONNX_INLINE void folder_lock::sync() const {
  if (handle_ >= 0) ::fsync(static_cast<int>(handle_));
}

JAX2ONNX_INLINE bool run_to_end(bool (*work)(void*), void* argument) {
  ::sigset_t held, before;
  sigemptyset(&held);  // on macOS this is a macro, which cannot follow ::
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&held, signal);
  ::pthread_sigmask(SIG_BLOCK, &held, &before);
  const bool done = detail::run_protected(work, argument);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return done;
}

JAX2ONNX_INLINE std::uint64_t process_id() { return static_cast<std::uint64_t>(::getpid()); }

JAX2ONNX_INLINE void wait_briefly() {
  const timespec millisecond{.tv_sec = 0, .tv_nsec = 1'000'000};
  ::nanosleep(&millisecond, nullptr);
}

JAX2ONNX_INLINE std::size_t terminal_width(int file) {
  struct winsize size {};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Opens each substitute in the wrong mode, so that it cannot be used.
JAX2ONNX_INLINE void prepare_standard_streams() {
  for (const int stream : {standard_input, standard_output, standard_error})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == standard_input ? O_WRONLY : O_RDONLY);
}

}  // namespace jax2onnx::platform

#endif
