// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/support/config.hpp>

/// Tracks the graphs that exist, so that using a handle that outlives its graph is an error.
namespace jax2onnx::detail {

/// Records that the graph with this state, which `new` has made, exists.
void note_graph(const void* state);
/// Records that the graph is destroyed, and takes over its memory. The memory is freed only after some more graphs are
/// destroyed, so that no new graph has an address that handles may still point to.
void forget_graph(void* state) noexcept;
/// True if the graph with this state exists. The function takes a lock, so it is called for the handles that users pass
/// and for messages, but not for each node of a lowering.
bool graph_exists(const void* state);

}  // namespace jax2onnx::detail

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/graph/live_graphs.inl.hpp>
#endif
