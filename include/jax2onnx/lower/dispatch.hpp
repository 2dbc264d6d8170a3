#pragma once

#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx {

/// What the converter itself makes of an equation: for lowerers of the caller that replace a built-in one at times.
jax_values lower_builtin(const site& s);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/dispatch.inl.hpp>
#endif
