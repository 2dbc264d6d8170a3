#pragma once

#include <cstdint>
#include <optional>

#include <jax2onnx/support/progress.hpp>

namespace jax2onnx {

/// Bounds on the work that a text may cause. What exceeds one is a limit_error.
struct lowering_limits {
  std::uint64_t equations = 20'000'000;  ///< lowered in all, with calls inlined: some 6 GB
  int depth = 500;                       ///< of calls inside calls
};

/// How equations become nodes.
struct lowering_options {
  lowering_limits limits;
  /// jax_threefry_partitionable; absent: the default of the JAX version that printed the text.
  std::optional<bool> partitionable_keys;
  progress_sink progress;  ///< hears how many equations are lowered
};

}  // namespace jax2onnx
