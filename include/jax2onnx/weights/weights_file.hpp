#pragma once

#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx {

/// The arrays of a weights file in the file's own order.
struct weights_file {
  std::vector<weight> weights;
  std::optional<std::vector<std::string>> constvars;  ///< keys in constvar order, if the file's metadata list them
  std::vector<std::string> inputs, outputs;           ///< names of the model's inputs and outputs, likewise
};

}  // namespace jax2onnx
