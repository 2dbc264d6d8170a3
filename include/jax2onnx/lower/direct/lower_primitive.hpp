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

/// How lower_primitive() works. The opset is the graph's; optimize() knows targets.
struct primitive_options {
  user_lowerers lowerers;                       ///< of the program; they win over the built-in ones
  lowering_options lowering;                    ///< limits of a computation's primitives, random keys
  std::vector<diagnostic>* warnings = nullptr;  ///< gets what the caller may want to know
};

/// Adds the nodes of a JAX primitive to the current block of `g` and returns its results: the mapping from JAX to ONNX
/// without texts. docs/primitives.md lists the primitives and their parameters.
///
///     value y = lower_primitive("cumsum", g, {x}, {{"axis", 0}, {"reverse", true}})[0];
///
/// Operands are values of `g` without unknown extents. `results` are the types of the results; without them, they are
/// those that JAX gives the primitive, where they follow from operands and parameters. An operand that is a complex
/// number or a key is a list of its parts, `{re, im}`; such a result is its parts, one after the other.
///
/// Throws conversion_error that names the primitive: malformed for operands, parameters or results that JAX refuses,
/// unsupported for what has no ONNX; limit_error for what exceeds a limit; and whatever a computation or a lowerer
/// throws. Nodes that were added before stay in the graph, and nothing reads them. Primitives on mutable references
/// (get, swap, run_state, …) need a text.
std::vector<value> lower_primitive(std::string_view primitive, graph& g, const jax_operands& in,
                                   const parameters& p = {}, const std::vector<array_type>& results = {},
                                   const primitive_options& o = {});

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/direct/lower_primitive.inl.hpp>
#endif
