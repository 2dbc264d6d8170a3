// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jax2onnx::platform {

/// True for Clang, whose error messages about bodies that do not compile differ from GCC's.
#ifdef __clang__
inline constexpr bool is_clang = true;
#else
inline constexpr bool is_clang = false;
#endif

}  // namespace jax2onnx::platform
