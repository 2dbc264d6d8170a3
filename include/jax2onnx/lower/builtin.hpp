#pragma once

#include <span>

#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx {

/// All primitives that have a lowering, sorted by name.
std::span<const lowering> builtin_lowerings();

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/builtin.inl.hpp>
#endif
