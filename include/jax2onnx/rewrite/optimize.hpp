#pragma once

#include <jax2onnx/build/graph.hpp>
#include <jax2onnx/rewrite/dead_code.hpp>
#include <jax2onnx/rewrite/legalize.hpp>

namespace jax2onnx {

struct rewrite_options {
  rewrite::target target = rewrite::target::ort;
};

/// Makes a lowered graph small and fit for its target: every pass is linear in its nodes and keeps what the model computes.
inline void optimize(graph& g, const rewrite_options& o) {
  rewrite::dead_code(g).run();
  rewrite::legalize(g, o.target);
  rewrite::dead_code(g).run();
}

}  // namespace jax2onnx
