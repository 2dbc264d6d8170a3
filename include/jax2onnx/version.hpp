// SPDX-License-Identifier: Apache-2.0
#pragma once

// The only place that states the version: CMake reads it, `scripts/release` writes it. See docs/versioning.md.

#include <string_view>

#define JAX2ONNX_VERSION_MAJOR 0
#define JAX2ONNX_VERSION_MINOR 1
#define JAX2ONNX_VERSION_PATCH 0
#define JAX2ONNX_VERSION_STRING "0.1.0"

namespace jax2onnx {

/// The version of these headers, MAJOR.MINOR.PATCH.
inline constexpr std::string_view version = JAX2ONNX_VERSION_STRING;

}  // namespace jax2onnx
