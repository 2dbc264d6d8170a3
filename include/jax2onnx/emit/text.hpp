// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx {

/// The graph in the ONNX textual syntax (onnx/docs/Syntax.md), which onnx.parser reads. Equal graphs give equal texts.
/// Throws error for a graph that is not in SSA form, limit_error for control flow nested more than 31 deep.
std::string to_text(const graph& g, const emit_options& options = {}, text_options style = {});

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/emit/text.inl.hpp>
#endif
