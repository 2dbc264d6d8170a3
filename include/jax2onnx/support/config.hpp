#pragma once

/// Functions with large definitions are declared in `NAME.hpp` and defined in `NAME.inl.hpp`. A header-only program
/// includes both. With JAX2ONNX_COMPILED, which the CMake target jax2onnx::compiled defines, the definitions come from
/// its library.
#ifndef JAX2ONNX_INLINE
#ifdef JAX2ONNX_COMPILED
#define JAX2ONNX_INLINE
#else
#define JAX2ONNX_INLINE inline
#endif
#endif
