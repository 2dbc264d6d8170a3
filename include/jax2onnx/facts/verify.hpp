// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// The problems of a whole graph, in the order of its nodes; empty if there are none. Checks every node, whatever added
/// it, against the record of its operator in the graph's opset: the operands, their types, and the attributes. The
/// stated types of its results must agree with the types that the operator's shape rule infers. For a node of a domain
/// that ONNX does not have, checks only that its operands are defined. The operands of a call must fit the function's
/// inputs. The bodies of functions are checked like the main graph. Finds at most 100 problems.
std::vector<diagnostic> problems_of(const graph& g);

/// Throws an error with the code `graph.invalid` and all problems if there are any. It is also a problem if a model has
/// no outputs, or if two inputs or outputs have the same name. Linear in the size of the graph.
void verify(const graph& g);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/facts/verify.inl.hpp>
#endif
