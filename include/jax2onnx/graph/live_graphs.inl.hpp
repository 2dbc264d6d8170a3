// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include <jax2onnx/graph/live_graphs.hpp>

namespace jax2onnx::detail {

struct live_graphs {
  std::mutex lock = {};
  std::vector<const void*> states = {};
  void* destroyed[64] = {};  // the graphs that were destroyed last, whose memory is kept
  std::size_t next = 0;      // the index of the graph to free next

  /// The list is never destroyed, since graphs of static storage may be destroyed later.
  static live_graphs& all() {
    static auto* const graphs = new live_graphs();
    return *graphs;
  }
};

JAX2ONNX_INLINE void note_graph(const void* state) {
  live_graphs& all = live_graphs::all();
  const std::lock_guard guard(all.lock);
  all.states.push_back(state);
}

JAX2ONNX_INLINE void forget_graph(void* state) noexcept {
  live_graphs& all = live_graphs::all();
  const std::lock_guard guard(all.lock);
  for (const void*& known : all.states)
    if (known == state) std::swap(known, all.states.back());
  if (!all.states.empty() && all.states.back() == state) all.states.pop_back();
  ::operator delete(std::exchange(all.destroyed[all.next], state));
  all.next = (all.next + 1) % std::size(all.destroyed);
}

JAX2ONNX_INLINE bool graph_exists(const void* state) {
  live_graphs& all = live_graphs::all();
  const std::lock_guard guard(all.lock);
  for (const void* known : all.states)
    if (known == state) return true;
  return false;
}

}  // namespace jax2onnx::detail
