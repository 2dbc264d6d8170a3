#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <jax2onnx/build/file_error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jax2onnx {

[[noreturn]] inline void throw_io(const std::filesystem::path& file, std::string_view action, int error) {
  throw file_error(fault::io, fmt::format("{}: cannot {}: {}", file.string(), action, std::strerror(error)));
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

/// A new file that takes its place only when it is complete: written under another name in the same directory, renamed
/// by commit(), removed when it is not committed. A device or pipe is written directly.
class output_file {
 public:
  explicit output_file(std::filesystem::path target);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  int fd() const { return fd_; }
  const std::filesystem::path& target() const { return target_; }
  /// All written bytes are on disk after this.
  void sync();
  /// The target is the new file from now on. Needs sync() first.
  void commit();
  /// Undoes commit(): the target is again what it was before. Only until keep().
  void restore() noexcept;
  /// Before commit(): keeps the old target by a second name until the end, for restore().
  void guard_old();

 private:
  void open_temporary();
  std::filesystem::path beside(std::string_view suffix) const;
  static bool is_special(const struct stat& s) {
    return !S_ISREG(s.st_mode) && !S_ISLNK(s.st_mode) && !S_ISDIR(s.st_mode);
  }

  std::filesystem::path target_, temporary_, old_;
  int fd_ = -1;
  bool committed_ = false;
};

inline output_file::output_file(std::filesystem::path target) : target_(std::move(target)) {
  struct stat s {};
  const bool exists = ::stat(target_.c_str(), &s) == 0;
  if (exists && S_ISDIR(s.st_mode)) throw_io(target_, "write", EISDIR);
  if (target_.filename().empty()) throw_io(target_, "write", EISDIR);
  if (exists && is_special(s)) fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  else open_temporary();
  if (fd_ < 0) throw_io(target_, "create", errno);
}

// The numbers of the name only avoid collisions; O_EXCL is what makes it safe.
inline std::filesystem::path output_file::beside(std::string_view suffix) const {
  struct timespec now {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  static thread_local unsigned count = 0;
  const std::string name = fmt::format(".{}.{}-{}-{}{}", target_.filename().string().substr(0, 200), ::getpid(),
                                       now.tv_nsec, count++, suffix);
  return target_.parent_path() / name;
}

inline void output_file::open_temporary() {
  constexpr int attempts = 100;
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
  if (!old_.empty()) ::unlink(old_.c_str());
}

inline void output_file::sync() {
  if (temporary_.empty()) return;
  if (::fsync(fd_) != 0) throw_io(target_, "write", errno);
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0) throw_io(target_, "write", errno);
}

inline void output_file::commit() {
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw_io(target_, "replace", errno);
  committed_ = true;
  // The rename itself has to survive a power cut; a file system that cannot sync directories does not need it.
  const std::filesystem::path directory = target_.has_parent_path() ? target_.parent_path() : ".";
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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

}  // namespace jax2onnx
