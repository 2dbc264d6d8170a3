#pragma once

#ifndef _WIN32

#include <algorithm>
#include <cerrno>
#include <csignal>
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

namespace jax2onnx::platform {

namespace detail {

// read(2) and write(2) transfer at most 2 GiB - 4 KiB, on macOS at most 2 GiB - 1.
inline constexpr std::size_t most = std::size_t{1} << 30;

inline mode_t mode(bool secret) { return secret ? 0600 : 0666; }

/// Repeats a system call that a signal interrupted.
template <typename Call>
auto repeated(const Call& call) {
  for (;;)
    if (const auto result = call(); result >= 0 || errno != EINTR) return result;
}

}  // namespace detail

JAX2ONNX_INLINE bool describe(int file, file_info& info) {
  struct stat s {};
  if (::fstat(file, &s) != 0) return false;
  info.kind = S_ISREG(s.st_mode) ? file_kind::regular : S_ISDIR(s.st_mode) ? file_kind::directory : file_kind::other;
  info.size = static_cast<std::uint64_t>(s.st_size);
  return true;
}

JAX2ONNX_INLINE int open_to_read(const std::filesystem::path& file, bool wait) {
  return ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | (wait ? 0 : O_NONBLOCK));
}

JAX2ONNX_INLINE int open_to_write(const std::filesystem::path& file) {
  return ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_TRUNC);
}

JAX2ONNX_INLINE int create_file(const std::filesystem::path& file, bool secret) {
  return ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, detail::mode(secret));
}

JAX2ONNX_INLINE int create_temporary(const std::filesystem::path& folder) {
  std::string name = (folder / "jax2onnx-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(name.c_str());
  return file;
}

JAX2ONNX_INLINE void close_file(int file) { ::close(file); }

JAX2ONNX_INLINE std::int64_t read_some(int file, std::span<std::byte> to) {
  return detail::repeated([&] { return ::read(file, to.data(), std::min(to.size(), detail::most)); });
}

JAX2ONNX_INLINE std::int64_t read_some_at(int file, std::uint64_t offset, std::span<std::byte> to) {
  const auto place = static_cast<off_t>(offset);
  return detail::repeated([&] { return ::pread(file, to.data(), std::min(to.size(), detail::most), place); });
}

JAX2ONNX_INLINE std::int64_t write_some(int file, std::span<const std::byte> data) {
  return detail::repeated([&] { return ::write(file, data.data(), std::min(data.size(), detail::most)); });
}

JAX2ONNX_INLINE bool seek(int file, std::uint64_t offset) {
  return ::lseek(file, static_cast<off_t>(offset), SEEK_SET) >= 0;
}

JAX2ONNX_INLINE void take_over_owner(int file, const std::filesystem::path& like) {
  struct stat old {};
  if (::lstat(like.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return;
  // Only root gives files away; others may give them to a group that they belong to.
  if (::fchown(file, old.st_uid, old.st_gid) != 0 && ::fchown(file, static_cast<uid_t>(-1), old.st_gid) != 0) errno = 0;
  ::fchmod(file, old.st_mode & 0777);
}

// /dev/stdout, /dev/fd/3 and the like are links into that folder, or lie in it.
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
  sigemptyset(&held);  // a macro on macOS, which has no ::
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&held, signal);
  ::pthread_sigmask(SIG_BLOCK, &held, &before);
  const bool done = detail::run_protected(work, argument);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return done;
}

JAX2ONNX_INLINE std::uint64_t process_id() { return static_cast<std::uint64_t>(::getpid()); }

JAX2ONNX_INLINE bool is_terminal(int file) { return ::isatty(file) == 1; }

JAX2ONNX_INLINE std::size_t terminal_width(int file) {
  struct winsize size {};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// What is opened instead cannot be used.
JAX2ONNX_INLINE void prepare_standard_streams() {
  for (const int stream : {standard_input, standard_output, standard_error})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == standard_input ? O_WRONLY : O_RDONLY);
}

}  // namespace jax2onnx::platform

#endif
