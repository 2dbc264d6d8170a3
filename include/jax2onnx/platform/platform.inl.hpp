#pragma once

#include <system_error>

#include <jax2onnx/platform/platform.hpp>

#ifdef _WIN32
#include <jax2onnx/platform/windows.inl.hpp>
#else
#include <jax2onnx/platform/posix.inl.hpp>
#endif

namespace jax2onnx::platform {

JAX2ONNX_INLINE std::string error_text(int error) { return std::generic_category().message(error); }

}  // namespace jax2onnx::platform
