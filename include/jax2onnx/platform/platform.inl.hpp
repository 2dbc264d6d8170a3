// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include <jax2onnx/platform/platform.hpp>

#ifdef _WIN32
#include <jax2onnx/platform/windows.inl.hpp>
#else
#include <jax2onnx/platform/posix.inl.hpp>
#endif

namespace jax2onnx::platform {

JAX2ONNX_INLINE std::string error_text(int error) { return std::generic_category().message(error); }

#ifndef __linux__  // no other system has files without a name

JAX2ONNX_INLINE int create_unnamed(const std::filesystem::path&, bool) {
  errno = ENOTSUP;
  return -1;
}

JAX2ONNX_INLINE bool name_file(int, const std::filesystem::path&) {
  errno = ENOTSUP;
  return false;
}

#endif

}  // namespace jax2onnx::platform
