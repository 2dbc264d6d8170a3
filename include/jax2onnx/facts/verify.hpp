// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// The problems of a whole graph, in the order of its nodes; empty if there are none. Checks every node, whatever added
/// it, against the record of its operator in the graph's opset and against its shape rule: operands, their types,
/// attributes, and that the stated types of the results are those that the rule infers. Nodes of domains that ONNX does
/// not have are only checked for operands that are defined, calls of functions for operands that fit. The bodies of
/// functions are checked like the main graph. Finds at most 100 problems.
std::vector<diagnostic> problems_of(const graph& g);

/// Throws an error with the code `graph.invalid` and all problems if there are any. Problems are also a model without
/// outputs, and two inputs or outputs with the same name. Linear in the size of the graph.
void verify(const graph& g);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/facts/verify.inl.hpp>
#endif
