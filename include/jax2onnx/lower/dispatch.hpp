// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx {

/// Lowers an equation with the built-in lowerings only. A user's lowerer that replaces a built-in one in some
/// situations calls this function in the other situations. Drops a primitive that only has an effect, with a warning.
/// Throws unsupported_error if the primitive has no lowering or the lowering refuses the equation. Throws
/// lower::malformed_error or build_error if operands, parameters and result types do not fit together. Reentrant.
jax_values lower_builtin(const site& s);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/dispatch.inl.hpp>
#endif
