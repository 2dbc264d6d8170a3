#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace jax2onnx {

/// What is wrong with a file: its content, the system's access to it, or that it is unsafe to go on.
enum class fault : std::uint8_t { malformed, io, unsafe };

/// A file cannot be read or written. The message names the file, the help says what to do, where there is something.
class file_error : public std::runtime_error {
 public:
  file_error(jax2onnx::fault why, const std::string& message, std::string help = {})
      : std::runtime_error(message), fault_(why), help_(std::move(help)) {}
  jax2onnx::fault fault() const { return fault_; }
  const std::string& help() const { return help_; }

 private:
  jax2onnx::fault fault_;
  std::string help_;
};

}  // namespace jax2onnx
