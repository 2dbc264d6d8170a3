#pragma once

#include <cstdint>

namespace jax2onnx {

/// The runtime whose kernels a model is to use.
enum class target : std::uint8_t {
  ort,      ///< ONNX Runtime's CPU provider
  generic,  ///< any implementation of the operators as the ONNX standard defines them
};

}  // namespace jax2onnx
