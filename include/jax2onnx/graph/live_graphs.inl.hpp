#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include <jax2onnx/graph/live_graphs.hpp>

namespace jax2onnx::detail {

struct live_graphs {
  std::mutex lock = {};
  std::vector<const void*> states = {};
  std::array<void*, 64> destroyed = {};  // the last ones, whose memory is kept
  std::size_t next = 0;                  // of them

  /// Never destroyed: graphs of static storage may be destroyed later.
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
  std::erase(all.states, state);
  ::operator delete(std::exchange(all.destroyed[all.next], state));
  all.next = (all.next + 1) % all.destroyed.size();
}

JAX2ONNX_INLINE bool graph_exists(const void* state) {
  live_graphs& all = live_graphs::all();
  const std::lock_guard guard(all.lock);
  return std::ranges::find(all.states, state) != all.states.end();
}

}  // namespace jax2onnx::detail
