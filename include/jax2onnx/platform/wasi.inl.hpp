// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __wasi__

#include <string>

#include <jax2onnx/platform/platform.hpp>

#include <fcntl.h>
#include <unistd.h>

/// WebAssembly in a browser or a runtime: it has files, but no other processes, users, signals or terminal sizes.
namespace jax2onnx::platform {

JAX2ONNX_INLINE int create_temporary(const std::filesystem::path& folder) {
  const std::string name = (folder / "jax2onnx-temporary").string();
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file >= 0) ::unlink(name.c_str());
  return file;
}

JAX2ONNX_INLINE bool sync_file(int file) { return ::fsync(file) == 0; }

JAX2ONNX_INLINE void take_over_owner(int, const std::filesystem::path&) {}

JAX2ONNX_INLINE bool names_open_file(const std::filesystem::path&) { return false; }

JAX2ONNX_INLINE folder_lock::folder_lock(const std::filesystem::path&) {}
JAX2ONNX_INLINE folder_lock::~folder_lock() = default;
JAX2ONNX_INLINE lock_state folder_lock::try_lock() { return lock_state::unavailable; }
JAX2ONNX_INLINE void folder_lock::sync() const {}

JAX2ONNX_INLINE bool run_to_end(bool (*work)(void*), void* argument) { return work(argument); }

JAX2ONNX_INLINE std::uint64_t process_id() { return 1; }
JAX2ONNX_INLINE void wait_briefly() {}  // WASI has no other processes

JAX2ONNX_INLINE std::size_t terminal_width(int) { return 0; }

JAX2ONNX_INLINE void prepare_standard_streams() {}

}  // namespace jax2onnx::platform

#endif
