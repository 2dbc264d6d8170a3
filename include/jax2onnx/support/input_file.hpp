// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/support/file_site.hpp>

namespace jax2onnx::detail {

/// An open file descriptor.
class file_descriptor {
 public:
  explicit file_descriptor(int fd = -1) : fd_(fd) {}
  file_descriptor(file_descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~file_descriptor() {
    if (fd_ >= 0) platform::close_file(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// A regular file that is open for reading. It is read, never mapped: if another process truncates the file meanwhile,
/// that is an error; a mapping would give zeros or a signal.
class input_file {
 public:
  /// Throws file_error if the file cannot be opened or is not a regular file.
  explicit input_file(const std::filesystem::path& file)
      : input_file(file_descriptor(platform::open_to_read(file, false)), file) {}
  /// Takes ownership of a descriptor; `shown_as` is for messages.
  input_file(file_descriptor fd, std::filesystem::path shown_as);

  const std::filesystem::path& path() const { return path_; }
  file_site site() const { return {path_.string(), {}}; }
  std::uint64_t size() const { return size_; }
  bool contains(std::uint64_t offset, std::uint64_t length) const {
    return offset <= size_ && length <= size_ - offset;
  }
  /// Fills `to` from the file. Throws file_error if the file ends too early.
  void read(std::uint64_t offset, std::span<std::byte> to) const;
  std::string read_string(std::uint64_t offset, std::uint64_t length) const {
    std::string s(length, '\0');
    read(offset, std::as_writable_bytes(std::span(s)));
    return s;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { site().fail(failure::io, what); }

  std::filesystem::path path_;
  file_descriptor fd_;
  std::uint64_t size_ = 0;
};

inline input_file::input_file(file_descriptor fd, std::filesystem::path shown_as)
    : path_(std::move(shown_as)), fd_(std::move(fd)) {
  platform::file_info found;
  if (fd_.get() < 0 || !platform::describe(fd_.get(), found)) fail(platform::error_text(errno));
  if (found.kind == platform::file_kind::directory) fail("is a directory");
  if (found.kind != platform::file_kind::regular) fail("is not a regular file");
  size_ = found.size;
}

inline void input_file::read(std::uint64_t offset, std::span<std::byte> to) const {
  while (!to.empty()) {
    const std::int64_t n = platform::read_some_at(fd_.get(), offset, to);
    if (n < 0) fail(platform::error_text(errno));
    if (n == 0) fail("was truncated while it was read");
    offset += static_cast<std::uint64_t>(n);
    to = to.subspan(static_cast<std::size_t>(n));
  }
}

}  // namespace jax2onnx::detail
