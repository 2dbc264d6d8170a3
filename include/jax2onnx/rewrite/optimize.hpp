#pragma once

#include <jax2onnx/build/graph.hpp>
#include <jax2onnx/rewrite/dead_code.hpp>

namespace jax2onnx {

struct rewrite_options {};

/// Makes a lowered graph small: every pass is linear in its nodes and keeps what the model computes.
inline void optimize(graph& g, const rewrite_options&) { rewrite::dead_code(g).run(); }

}  // namespace jax2onnx
