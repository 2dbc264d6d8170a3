// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx {

/// Replaces every call of a function of the model by the nodes of the function, in place. If the function was traced
/// for the types of the call, the nodes of that trace are used. Calls within functions are replaced where the functions
/// are inserted. Throws a limit_error for more nodes than the graph may have. Throws a build_error for a call with a
/// wrong number of operands or results, and for calls that are nested more than 100 deep, as in a function that calls
/// itself.
void inline_functions(graph& g);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/graph/functions/inline.inl.hpp>
#endif
