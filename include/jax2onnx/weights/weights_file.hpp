#pragma once

#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx {

/// The arrays of a weights file in the file's own order.
struct weights_file {
  std::vector<weight> weights;                        ///< in the file's own order
  std::optional<std::vector<std::string>> constvars;  ///< keys in constvar order, if the file's metadata list them
  std::vector<std::string> inputs;                    ///< names of the model's inputs, likewise
  std::vector<std::string> outputs;                   ///< names of the model's outputs, likewise
};

}  // namespace jax2onnx
