#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <jax2onnx/emit/folder_lock.hpp>
#include <jax2onnx/emit/uninterrupted.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/message.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jax2onnx::detail {

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

/// Whether `file` is one of `others`, under any path.
template <typename Paths>
bool is_one_of(const std::filesystem::path& file, const Paths& others) {
  using file_status = struct stat;
  file_status target{}, other{};
  if (::stat(file.c_str(), &target) != 0 || !S_ISREG(target.st_mode)) return false;
  return std::ranges::any_of(others, [&](const auto& path) {
    return ::stat(std::filesystem::path(path).c_str(), &other) == 0 && other.st_dev == target.st_dev &&
           other.st_ino == target.st_ino;
  });
}

/// Throws file_error if `out` is one of the input files, under any path.
template <typename Paths>
void refuse_overwriting(const std::filesystem::path& out, const Paths& inputs) {
  if (is_one_of(out, inputs))
    throw file_error(failure::unsafe, message("{}: refusing to write over an input file", out.string()));
}

/// A file that appears under its name only when it is complete. It is written as an unnamed file in the target's
/// directory, so that a killed process leaves nothing behind. On file systems without unnamed files it has a temporary
/// name, which the destructor removes unless the file was published. A device, pipe or open descriptor is written
/// directly. The file that it replaces passes on its mode, and its owner where the system allows it; a link is
/// replaced, not followed.
class output_file {
 public:
  /// `like`: the file whose mode, owner and temporary name this one takes, in the target's directory; the target itself
  /// if it is empty.
  explicit output_file(std::filesystem::path target, std::filesystem::path like = {});
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  int fd() const { return fd_; }
  const std::filesystem::path& target() const { return target_; }
  /// Gives a file that is not published another name in the same directory.
  void retarget(std::filesystem::path target) { target_ = std::move(target); }
  /// Waits until all written bytes are on disk.
  void sync();
  /// Replaces the target by this file. Call sync() first.
  void commit() {
    if (direct_) return;
    const folder_lock lock(directory_of(target_));
    uninterrupted([&] { publish(lock); });
    lock.sync();
  }
  /// The step of commit() that replaces the target, for a commit of several files under one lock.
  void publish(const folder_lock& lock);
  /// The name that a file like `like` has for a moment when it replaces another one. Only the holder of the folder's
  /// lock uses it, so that a file of this name was left over by a killed process.
  static std::filesystem::path temporary_name(const std::filesystem::path& like) {
    return like.parent_path() / message(".{}.jax2onnx-tmp", like.filename().string().substr(0, longest_stem));
  }

 private:
  void open_temporary(unsigned mode);
  /// Opens an unnamed file; false if the file system has none, or if it could not be named later.
  bool open_unnamed(unsigned mode);
  /// Names an unnamed file; false if the name is taken.
  bool link_as(const std::filesystem::path& name);
  void name_temporarily(const folder_lock& lock);
  void take_over_owner() const;
  std::filesystem::path unused_name() const;
  bool is_open_descriptor() const;

  static constexpr int attempts = 100;              // to find an unused name
  static constexpr std::size_t longest_stem = 200;  // leaves room for the rest of a temporary name
  std::filesystem::path target_, like_, temporary_;
  int fd_ = -1;
  bool direct_ = false, published_ = false;
};

inline output_file::output_file(std::filesystem::path target, std::filesystem::path like)
    : target_(std::move(target)), like_(like.empty() ? target_ : std::move(like)) {
  struct stat s {};
  const bool exists = ::stat(target_.c_str(), &s) == 0;
  if ((exists && S_ISDIR(s.st_mode)) || target_.filename().empty()) throw_io(target_, "write", EISDIR);
  direct_ = exists && (!S_ISREG(s.st_mode) || is_open_descriptor());
  const unsigned mode = ::stat(like_.c_str(), &s) == 0 ? 0600 : 0666;  // a private file stays private
  if (direct_) fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_TRUNC);
  else if (!open_unnamed(mode)) open_temporary(mode);
  if (fd_ < 0) throw_io(target_, "create", errno);
}

// /dev/stdout, /dev/fd/3 and the like are links into /proc, which must not be replaced by a file.
inline bool output_file::is_open_descriptor() const {
  std::error_code none;
  const std::string link = std::filesystem::read_symlink(target_, none).string();
  return link.starts_with("/proc/") ||
         std::filesystem::weakly_canonical(directory_of(target_), none).string().starts_with("/proc/");
}

inline bool output_file::open_unnamed(unsigned mode) {
  if (::access("/proc/self/fd", X_OK) != 0) return false;
  fd_ = ::open(directory_of(target_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
  return fd_ >= 0;
}

// The numbers in the name make collisions unlikely; O_EXCL and link(2) make them harmless.
inline std::filesystem::path output_file::unused_name() const {
  struct timespec now {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  static thread_local unsigned count = 0;
  return target_.parent_path() / message(".{}.{}-{}-{}.tmp", like_.filename().string().substr(0, longest_stem),
                                         ::getpid(), now.tv_nsec, count++);
}

inline void output_file::open_temporary(unsigned mode) {
  for (int i = 0; i < attempts && fd_ < 0; ++i) {
    temporary_ = unused_name();
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd_ < 0 && errno != EEXIST) break;
  }
  if (fd_ < 0) temporary_.clear();
}

inline output_file::~output_file() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty() && !published_) ::unlink(temporary_.c_str());
}

inline void output_file::sync() {
  if (direct_) return;
  if (::fsync(fd_) != 0) throw_io(target_, "write", errno);
}

inline void output_file::take_over_owner() const {
  struct stat old {};
  if (::lstat(like_.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return;
  // Only root gives files away; others may give them to a group that they belong to.
  if (::fchown(fd_, old.st_uid, old.st_gid) != 0 && ::fchown(fd_, static_cast<uid_t>(-1), old.st_gid) != 0) errno = 0;
  ::fchmod(fd_, old.st_mode & 0777);
}

inline bool output_file::link_as(const std::filesystem::path& name) {
  const std::string unnamed = message("/proc/self/fd/{}", fd_);
  if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno != EEXIST) throw_io(target_, "create", errno);
  return false;
}

inline void output_file::name_temporarily(const folder_lock& lock) {
  for (int i = 0; i < attempts && temporary_.empty(); ++i) {
    const std::filesystem::path name = lock.held() ? temporary_name(like_) : unused_name();
    if (link_as(name)) temporary_ = name;
    else if (lock.held()) ::unlink(name.c_str());
  }
  if (temporary_.empty()) throw_io(target_, "create", EEXIST);
}

inline void output_file::publish(const folder_lock& lock) {
  if (direct_) return;
  take_over_owner();
  if (temporary_.empty()) {
    published_ = link_as(target_);
    if (published_) return;
    name_temporarily(lock);
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw_io(target_, "replace", errno);
  published_ = true;
}

}  // namespace jax2onnx::detail
