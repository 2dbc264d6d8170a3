// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <jaxpr/ast.hpp>
#include <jaxpr/config.hpp>

namespace jaxpr {

/// The text of a program in the layout of JAX's printer. Parsing this text with the same options gives an equal tree,
/// except for its spans. If the nodes are views of `p.text`, the lines are broken as in `p.text`. The lines of trees
/// that are built by hand are broken at 80 columns. The result is empty if the program has no main body. Thread-safe.
JAX2ONNX_INLINE std::string print(const program& p);

}  // namespace jaxpr

#ifndef JAX2ONNX_COMPILED
#include <jaxpr/print.inl.hpp>
#endif
