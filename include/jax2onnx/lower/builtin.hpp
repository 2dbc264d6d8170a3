// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx {

/// The families of primitives that have a lowering. A family gives its name to its folder of lower/, its numeric cases,
/// its goldens and its section of docs/primitives.md.
std::span<const family> builtin_families();

/// The rows of all families, sorted by name.
std::span<const lowering> builtin_lowerings();

/// The rows that replace rows of the same name if operand 0 or result 0 is complex, sorted by name.
std::span<const lowering> complex_lowerings();

namespace detail {
/// Of the names of primitives with a lowering, the one closest to a misspelt name; empty if no name is close.
std::string closest_primitive(std::string_view name);
}  // namespace detail

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/builtin.inl.hpp>
#endif
