// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <jax2onnx/lower/direct/array_type.hpp>
#include <jax2onnx/lower/direct/parameters.hpp>
#include <jax2onnx/lower/lowering_options.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// Options of lower_primitive(). The graph has the opset; optimize() adapts the graph to targets.
struct primitive_options {
  user_lowerers lowerers;                       ///< lowerers that replace the built-in ones
  lowering_options lowering;                    ///< options of lowering; limits are for each call
  std::vector<diagnostic>* warnings = nullptr;  ///< receives warnings for the caller
};

/// Adds the nodes of a JAX primitive to the current block of `g` and returns its results: the mapping from JAX to ONNX
/// without a printed jaxpr. docs/primitives.md lists the primitives and their parameters.
///
///     value y = lower_primitive("cumsum", g, {x}, {{"axis", 0}, {"reverse", true}})[0];
///
/// Operands are values of `g` without unknown extents. `results` are the types of the results. If `results` is empty,
/// the results have the types that JAX derives from operands and parameters; for some primitives, `results` must state
/// the types. A complex number or key is passed as a list of its parts, `{re, im}`, and returned as its parts, one
/// after another.
///
/// Throws a conversion_error that names the primitive: malformed for operands, parameters or results that JAX refuses,
/// unsupported if the primitive has no lowering to ONNX, or the lowering refuses this use. Throws limit_error if a
/// limit is exceeded, and anything that a computation throws. The exceptions of a lowerer are treated as user_lowerer
/// says. Nodes that were added before an exception stay in the graph, unused. Primitives on mutable references (get,
/// swap, run_state, …) are only supported in printed jaxprs.
std::vector<value> lower_primitive(std::string_view primitive, graph& g, const jax_operands& in,
                                   const parameters& p = {}, const std::vector<array_type>& results = {},
                                   const primitive_options& o = {});

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/direct/lower_primitive.inl.hpp>
#endif
