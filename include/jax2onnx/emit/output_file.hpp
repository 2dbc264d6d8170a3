#pragma once

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/message.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jax2onnx::detail {

[[noreturn]] inline void throw_io(const std::filesystem::path& file, std::string_view action, int error) {
  throw file_error(failure::io, message("{}: cannot {}: {}", file.string(), action, std::strerror(error)));
}

/// Writes all of `data` to a descriptor; throws file_error naming `file`.
inline void write_all(int fd, std::span<const std::byte> data, const std::filesystem::path& file) {
  constexpr std::size_t most = std::size_t{1} << 30;  // write(2) transfers at most 2 GiB - 4 KiB
  while (!data.empty()) {
    const ssize_t n = ::write(fd, data.data(), std::min(data.size(), most));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_io(file, "write", errno);
    data = data.subspan(static_cast<std::size_t>(n));
  }
}

/// Joins small pieces into large writes.
class buffered_writer {
 public:
  buffered_writer(int fd, const std::filesystem::path& file) : fd_(fd), file_(file) {}
  void put(std::span<const std::byte> piece) {
    if (buffer_.size() + piece.size() > capacity) flush();
    if (piece.size() >= capacity) write_all(fd_, piece, file_);
    else buffer_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  void flush() {
    write_all(fd_, std::as_bytes(std::span(buffer_)), file_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 16;
  int fd_;
  std::filesystem::path file_;
  std::string buffer_;
};

/// Throws file_error if `out` is one of the input files, under any path.
template <typename Paths>
void refuse_overwriting(const std::filesystem::path& out, const Paths& inputs) {
  using file_status = struct stat;
  file_status target{}, input{};
  if (::stat(out.c_str(), &target) != 0 || !S_ISREG(target.st_mode)) return;
  for (const auto& file : inputs)
    if (::stat(std::filesystem::path(file).c_str(), &input) == 0 && input.st_dev == target.st_dev &&
        input.st_ino == target.st_ino)
      throw file_error(failure::unsafe, message("{}: refusing to write over an input file", out.string()));
}

/// Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT during its lifetime.
class held_signals {
 public:
  held_signals() {
    ::sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&held, signal);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~held_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

 private:
  ::sigset_t before_{};
};

/// A file that appears under its name only when it is complete. It is written as an unnamed file in the target's
/// directory, so that a killed process leaves nothing behind, and commit() renames it. On file systems without unnamed
/// files it has a temporary name, which the destructor removes unless the file was committed. A device, pipe or open
/// descriptor is written directly.
class output_file {
 public:
  explicit output_file(std::filesystem::path target);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  int fd() const { return fd_; }
  const std::filesystem::path& target() const { return target_; }
  /// Waits until all written bytes are on disk.
  void sync();
  /// Replaces the target by this file. Call sync() first.
  void commit() {
    const held_signals uninterrupted;
    give_name();
    replace_target();
    sync_directory();
  }

  // The steps of commit(), for a commit of several files.

  /// Gives the new file its temporary name, if it has none yet.
  void give_name();
  void replace_target();
  /// Waits until renames in the target's directory are on disk, if the file system supports that.
  void sync_directory() const;
  /// Keeps the old target under a second name for restore(). Call it before replace_target().
  void guard_old();
  /// Removes the second name of the old target.
  void release_old() noexcept {
    if (!old_.empty()) ::unlink(old_.c_str());
    old_.clear();
  }
  /// Undoes replace_target().
  void restore() noexcept;

 private:
  void open_temporary();
  /// Opens an unnamed file; false if the file system has none, or if it could not be named later.
  bool open_unnamed();
  std::filesystem::path directory() const { return target_.has_parent_path() ? target_.parent_path() : "."; }
  std::filesystem::path beside(std::string_view suffix) const;
  bool is_open_descriptor() const;

  static constexpr int attempts = 100;  // to find an unused name
  std::filesystem::path target_, temporary_, old_;
  int fd_ = -1;
  bool direct_ = false, committed_ = false;
};

inline output_file::output_file(std::filesystem::path target) : target_(std::move(target)) {
  struct stat s {};
  const bool exists = ::stat(target_.c_str(), &s) == 0;
  if ((exists && S_ISDIR(s.st_mode)) || target_.filename().empty()) throw_io(target_, "write", EISDIR);
  direct_ = exists && (!S_ISREG(s.st_mode) || is_open_descriptor());
  if (direct_) fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_TRUNC);
  else if (!open_unnamed()) open_temporary();
  if (fd_ < 0) throw_io(target_, "create", errno);
}

// /dev/stdout, /dev/fd/3 and the like are links into /proc, which must not be replaced by a file.
inline bool output_file::is_open_descriptor() const {
  std::error_code none;
  const std::string link = std::filesystem::read_symlink(target_, none).string();
  return link.starts_with("/proc/") ||
         std::filesystem::weakly_canonical(directory(), none).string().starts_with("/proc/");
}

inline bool output_file::open_unnamed() {
  if (::access("/proc/self/fd", X_OK) != 0) return false;
  fd_ = ::open(directory().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  return fd_ >= 0;
}

// The numbers in the name make collisions unlikely; O_EXCL makes them harmless.
inline std::filesystem::path output_file::beside(std::string_view suffix) const {
  struct timespec now {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  static thread_local unsigned count = 0;
  const std::string name =
      message(".{}.{}-{}-{}{}", target_.filename().string().substr(0, 200), ::getpid(), now.tv_nsec, count++, suffix);
  return target_.parent_path() / name;
}

inline void output_file::open_temporary() {
  for (int i = 0; i < attempts && fd_ < 0; ++i) {
    temporary_ = beside(".tmp");
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd_ < 0 && errno != EEXIST) break;
  }
  if (fd_ < 0) temporary_.clear();
}

inline output_file::~output_file() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty() && !committed_) ::unlink(temporary_.c_str());
  release_old();
}

inline void output_file::sync() {
  if (direct_) return;
  if (::fsync(fd_) != 0) throw_io(target_, "write", errno);
}

inline void output_file::give_name() {
  if (direct_ || !temporary_.empty()) return;
  const std::string unnamed = message("/proc/self/fd/{}", fd_);
  for (int i = 0; i < attempts; ++i) {
    const std::filesystem::path name = beside(".tmp");
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) break;
  }
  throw_io(target_, "create", errno);
}

inline void output_file::replace_target() {
  if (direct_) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw_io(target_, "replace", errno);
  committed_ = true;
}

inline void output_file::sync_directory() const {
  if (direct_) return;
  const int fd = ::open(directory().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

inline void output_file::guard_old() {
  old_ = beside(".old");
  if (::link(target_.c_str(), old_.c_str()) != 0) old_.clear();  // no old file, or no hard links here
}

inline void output_file::restore() noexcept {
  if (!committed_) return;
  if (old_.empty()) ::unlink(target_.c_str());
  else if (::rename(old_.c_str(), target_.c_str()) == 0) old_.clear();
}

}  // namespace jax2onnx::detail
