// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// Options for reading a model.
struct read_options {
  /// Limits of the graph's size, with functions inlined. nullopt means 50,000 nodes, 64 MiB and 1,000,000 terms for
  /// each 64 KiB of the file.
  std::optional<graph_limits> limits = {};
  /// External data must be below this directory. nullopt means the directory of the model's file; external data of a
  /// model in memory are then refused.
  std::optional<std::filesystem::path> directory = {};
};

}  // namespace jax2onnx
