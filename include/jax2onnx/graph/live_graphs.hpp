#pragma once

#include <jax2onnx/support/config.hpp>

/// The graphs that exist, so that a handle that outlives its graph is an error.
namespace jax2onnx::detail {

/// Notes that the graph with this state exists, which `new` has made.
void note_graph(const void* state);
/// Notes that it is destroyed, and takes its memory. It is freed when some more graphs are destroyed, so that no new
/// graph has the address of one that handles may still point to.
void forget_graph(void* state) noexcept;
/// Whether the graph with this state exists. Takes a lock, so that verbs of the DSL ask, and lowerings do not.
bool graph_exists(const void* state);

}  // namespace jax2onnx::detail

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/graph/live_graphs.inl.hpp>
#endif
