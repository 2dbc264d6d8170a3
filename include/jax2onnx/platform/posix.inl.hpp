// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef _WIN32

#include <algorithm>
#include <cerrno>

#include <jax2onnx/platform/platform.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __wasi__
#include <jax2onnx/platform/wasi.inl.hpp>
#else
#include <jax2onnx/platform/processes.inl.hpp>
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

JAX2ONNX_INLINE bool is_terminal(int file) { return ::isatty(file) == 1; }

}  // namespace jax2onnx::platform

#endif
