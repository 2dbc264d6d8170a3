#pragma once

#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// What is wrong with a whole graph, in the order of its nodes; empty if nothing is. Checks every node against the
/// record of its operator in the graph's opset and against its shape rule, whatever added it: operands, their types,
/// attributes, and that the stated types of the results are those that the rule infers. Nodes of domains that ONNX does
/// not have are checked for operands that are defined only, calls of functions for operands that fit, and the bodies of
/// functions as the main graph is. Finds at most 100 problems.
std::vector<diagnostic> problems_of(const graph& g);

/// Throws an error with the code `graph.invalid` and all problems if there are any; also where the model has no output,
/// or two inputs or outputs have one name. Linear in the size of the graph.
void verify(const graph& g);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/facts/verify.inl.hpp>
#endif
