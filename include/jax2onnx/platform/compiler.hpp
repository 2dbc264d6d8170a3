#pragma once

namespace jax2onnx::platform {

/// Whether the compiler is Clang, whose messages about bodies that do not compile are others than GCC's.
#ifdef __clang__
inline constexpr bool is_clang = true;
#else
inline constexpr bool is_clang = false;
#endif

}  // namespace jax2onnx::platform
