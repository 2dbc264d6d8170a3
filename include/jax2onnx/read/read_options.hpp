#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx {

/// How a model is read.
struct read_options {
  /// How large the graph may become, with functions inlined. Absent: 50,000 nodes, 64 MiB and 1,000,000 terms for each
  /// 64 KiB of the file.
  std::optional<graph_limits> limits = {};
  /// Where external data are: below this directory only. Absent: the model file's; a model in memory has none.
  std::optional<std::filesystem::path> directory = {};
};

}  // namespace jax2onnx
