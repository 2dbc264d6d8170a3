// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <jax2onnx/support/progress.hpp>

namespace jax2onnx {

/// Limits of the work that a text may cause; exceeding one throws a limit_error. A limit of nullopt grows with the size
/// of the text: it is the default stated below, and as much again for every full 64 KiB.
struct lowering_limits {
  /// Operands and results of equations, with calls inlined; by default 1,000,000.
  std::optional<std::uint64_t> variables;
  std::optional<std::uint64_t> nodes;  ///< nodes of the model, before and after rewriting; by default 50,000
  std::optional<std::uint64_t> bytes;  ///< bytes of memory for the graph without its weights; by default 64 MiB
  std::optional<std::uint64_t> terms;  ///< terms of symbolic extents, in all operations on them; by default 1,000,000
  int depth = 200;                     ///< maximum nesting of calls

  /// The limits for a text of this many bytes; all are set.
  lowering_limits of_text(std::uint64_t text_bytes) const {
    const std::uint64_t parts = text_bytes / (64 << 10) + 1;
    return {.variables = variables.value_or(parts * 1'000'000),
            .nodes = nodes.value_or(parts * 50'000),
            .bytes = bytes.value_or(parts * (64 << 20)),
            .terms = terms.value_or(parts * 1'000'000),
            .depth = depth};
  }
};

/// Options of lowering.
struct lowering_options {
  lowering_limits limits;
  /// The setting jax_threefry_partitionable; nullopt means the default of the JAX version that printed the text.
  std::optional<bool> partitionable_keys;
  bool assume_finite = false;  ///< no value is NaN or infinite, except constants of the program
  progress_sink progress;      ///< receives the number of equations lowered
};

}  // namespace jax2onnx
