// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx {

/// The arrays of a weights file.
struct weights_file {
  std::vector<weight> weights;                        ///< the weights, in the file's order
  std::optional<std::vector<std::string>> constvars;  ///< keys in constvar order, if the file's metadata list them
  std::vector<std::string> inputs;                    ///< names of the model's inputs, if the metadata list them
  std::vector<std::string> outputs;                   ///< names of the model's outputs, if the metadata list them
};

}  // namespace jax2onnx
