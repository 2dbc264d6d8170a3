// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The build modes of the library.
///
/// Header-only is the default: each public header includes its implementation, `NAME.inl.hpp`. With `JAX2ONNX_COMPILED`
/// defined, the public headers hold declarations only and the program links the library that `src/jaxpr.cpp` compiles
/// (CMake: `jax2onnx::jaxpr_compiled`). All translation units of a program must agree.
///
/// `JAX2ONNX_INLINE` precedes each function that is defined in an implementation header.
#if __cplusplus < 202002L && (!defined(_MSVC_LANG) || _MSVC_LANG < 202002L)
#error "jax2onnx needs C++20: -std=c++20"
#endif

#ifndef JAX2ONNX_INLINE
#ifdef JAX2ONNX_COMPILED
#define JAX2ONNX_INLINE
#else
#define JAX2ONNX_INLINE inline
#endif
#endif
