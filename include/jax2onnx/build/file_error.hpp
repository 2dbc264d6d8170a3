#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace jax2onnx {

/// What is wrong with a file: its content, the system's access to it, or that it is unsafe to go on.
enum class fault : std::uint8_t { malformed, io, unsafe };

/// A file cannot be read or written. The message names the file.
class file_error : public std::runtime_error {
 public:
  file_error(jax2onnx::fault why, const std::string& message) : std::runtime_error(message), fault_(why) {}
  jax2onnx::fault fault() const { return fault_; }

 private:
  jax2onnx::fault fault_;
};

}  // namespace jax2onnx
