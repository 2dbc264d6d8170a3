// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <jax2onnx/emit/folder_lock.hpp>
#include <jax2onnx/emit/uninterrupted.hpp>
#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// Writes all of `data` to a descriptor. If that fails, throws file_error, which names `file`.
inline void write_all(int fd, std::span<const std::byte> data, const std::filesystem::path& file) {
  while (!data.empty()) {
    const std::int64_t n = platform::write_some(fd, data);
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

/// Returns whether `file` is a regular file and one of `others`, even if their paths differ.
template <typename Paths>
bool is_one_of(const std::filesystem::path& file, const Paths& others) {
  std::error_code none;
  return std::filesystem::is_regular_file(file, none) &&
         item_loops::any_of(others, [&](const auto& path) { return std::filesystem::equivalent(path, file, none); });
}

/// Throws file_error if `out` is one of the input files, even if their paths differ.
template <typename Paths>
void refuse_overwriting(const std::filesystem::path& out, const Paths& inputs) {
  if (is_one_of(out, inputs))
    throw file_error(failure::unsafe, message("{}: is an input file, which is not overwritten", out.string()),
                     "write to another file");
}

/// A file that appears under its name only when it is complete. It is written as an unnamed file in the target's
/// directory, so that a killed process leaves no file. On file systems without unnamed files it has a temporary name,
/// which the destructor removes unless the file was published. A device, pipe or open descriptor is written directly.
/// The new file takes the mode of the file that it replaces, and its owner if the system allows it. A link is replaced,
/// not followed; the new file takes the mode of the link's target.
class output_file {
 public:
  /// `like` is the file in the target's directory whose mode, owner and temporary name this file takes; if empty, the
  /// target itself.
  explicit output_file(std::filesystem::path target, std::filesystem::path like = {});
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  int fd() const { return fd_; }
  const std::filesystem::path& target() const { return target_; }
  /// Changes the name that publish() will give to the file, within the same directory.
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
  /// The name that a file with this `like` has for a moment while it replaces an existing file. Only the holder of
  /// the folder's lock uses it, so a file of this name must be left over from a killed process.
  static std::filesystem::path temporary_name(const std::filesystem::path& like) {
    return like.parent_path() / message(".{}.jax2onnx-tmp", like.filename().string().substr(0, longest_stem));
  }

 private:
  void open_temporary(bool secret);
  /// Names an unnamed file; false if the name is taken.
  bool link_as(const std::filesystem::path& name);
  void name_temporarily(const folder_lock& lock);
  std::filesystem::path unused_name() const;

  static constexpr int attempts = 100;              // how often an unused name is looked for
  static constexpr std::size_t longest_stem = 200;  // leaves room for the rest of a temporary name
  std::filesystem::path target_, like_, temporary_;
  int fd_ = -1;
  bool direct_ = false, published_ = false;
};

inline output_file::output_file(std::filesystem::path target, std::filesystem::path like)
    : target_(std::move(target)), like_(like.empty() ? target_ : std::move(like)) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(target_, none);
  if (std::filesystem::is_directory(status) || target_.filename().empty()) throw_io(target_, "write", EISDIR);
  direct_ = std::filesystem::exists(status) &&
            (!std::filesystem::is_regular_file(status) || platform::names_open_file(target_));
  // Other users cannot read the new file until it has the mode of the file that it replaces.
  const bool secret = std::filesystem::exists(like_, none);
  fd_ = direct_ ? platform::open_to_write(target_) : platform::create_unnamed(directory_of(target_), secret);
  if (fd_ < 0 && !direct_) open_temporary(secret);
  if (fd_ < 0) throw_io(target_, "create", errno);
}

// The numbers in the name make collisions unlikely. An existing file is never overwritten: creation fails if it exists.
inline std::filesystem::path output_file::unused_name() const {
  static thread_local unsigned count = 0;
  return target_.parent_path() / message(".{}.{}-{}-{}.tmp", like_.filename().string().substr(0, longest_stem),
                                         platform::process_id(),
                                         std::chrono::steady_clock::now().time_since_epoch().count(), count++);
}

inline void output_file::open_temporary(bool secret) {
  for (int i = 0; i < attempts && fd_ < 0; ++i) {
    temporary_ = unused_name();
    fd_ = platform::create_file(temporary_, secret);
    if (fd_ < 0 && errno != EEXIST) break;
  }
  if (fd_ < 0) temporary_.clear();
}

inline output_file::~output_file() {
  if (fd_ >= 0) platform::close_file(fd_);
  std::error_code none;
  if (!temporary_.empty() && !published_) std::filesystem::remove(temporary_, none);
}

inline void output_file::sync() {
  if (direct_) return;
  if (!platform::sync_file(fd_)) throw_io(target_, "write", errno);
}

inline bool output_file::link_as(const std::filesystem::path& name) {
  if (platform::name_file(fd_, name)) return true;
  if (errno != EEXIST) throw_io(target_, "create", errno);
  return false;
}

inline void output_file::name_temporarily(const folder_lock& lock) {
  std::error_code none;
  for (int i = 0; i < attempts && temporary_.empty(); ++i) {
    const std::filesystem::path name = lock.held() ? temporary_name(like_) : unused_name();
    if (link_as(name)) temporary_ = name;
    else if (lock.held()) std::filesystem::remove(name, none);
  }
  if (temporary_.empty()) throw_io(target_, "create", EEXIST);
}

inline void output_file::publish(const folder_lock& lock) {
  if (direct_) return;
  platform::take_over_owner(fd_, like_);
  if (temporary_.empty()) {
    published_ = link_as(target_);
    if (published_) return;
    name_temporarily(lock);
  }
  std::error_code failed;
  std::filesystem::rename(temporary_, target_, failed);
  if (failed) throw_io(target_, "replace", failed.value());
  published_ = true;
}

}  // namespace jax2onnx::detail
