#pragma once

#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx {

/// Lowers an equation as this library does without lowerers of the user. A lowerer of the user that replaces a built-in
/// one in some situations calls it in the others. Throws unsupported_error if there is no lowering, or if it refuses
/// the equation; build_error if operands, parameters and result types do not fit together. Reentrant.
jax_values lower_builtin(const site& s);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/dispatch.inl.hpp>
#endif
