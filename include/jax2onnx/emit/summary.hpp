// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace jax2onnx {

/// The sizes of the files that were written, and the name of the data file.
struct emit_summary {
  std::uint64_t model_bytes = 0;         ///< the size of the model file
  std::uint64_t data_bytes = 0;          ///< the size of the external data file
  std::filesystem::path data_file = {};  ///< empty if there is none
};

}  // namespace jax2onnx
