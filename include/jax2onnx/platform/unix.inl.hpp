// SPDX-License-Identifier: Apache-2.0
#pragma once

#if !defined(_WIN32) && !defined(__linux__) && !defined(__wasi__)

#include <string_view>

#include <jaxpr/config.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace jax2onnx::platform {

namespace detail {

/// The folder that lists open files.
inline constexpr std::string_view open_files = "/dev/fd/";

/// Runs `work` in this process, since no other process can share its memory here: vfork is fork on macOS.
inline bool run_protected(bool (*work)(void*), void* argument) { return work(argument); }

}  // namespace detail

// fsync(2) of macOS leaves the bytes in the disk's cache.
JAX2ONNX_INLINE bool sync_file(int file) {
#ifdef F_FULLFSYNC
  if (::fcntl(file, F_FULLFSYNC) == 0) return true;
#endif
  return ::fsync(file) == 0;
}

}  // namespace jax2onnx::platform

#endif
