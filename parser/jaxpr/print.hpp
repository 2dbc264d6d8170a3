// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <jaxpr/ast.hpp>
#include <jaxpr/config.hpp>

namespace jaxpr {

/// The text of a program in the layout of JAX's printer; parsing it gives an equal program. Lines are
/// broken as in `p.text` if the nodes are views of it, otherwise at 80 columns, so trees built by hand can be printed
/// as well. The result is empty if the program has no main body. Thread-safe.
JAX2ONNX_INLINE std::string print(const program& p);

}  // namespace jaxpr

#ifndef JAX2ONNX_COMPILED
#include <jaxpr/print.inl.hpp>
#endif
