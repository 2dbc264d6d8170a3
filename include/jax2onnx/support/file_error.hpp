#pragma once

#include <string>
#include <utility>

#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// A file cannot be read or written, or has damaged content: the kind is malformed, io or unsafe. The message names the
/// file, the help says what to do.
class file_error : public error {
 public:
  /// `kind` decides the diagnostic's code: file.malformed, file.refused or file.io.
  file_error(failure kind, std::string message, std::string help = {})
      : error(kind, code(kind), std::move(message), std::move(help)) {}

 private:
  static std::string code(failure kind) {
    return kind == failure::malformed ? "file.malformed" : kind == failure::unsafe ? "file.refused" : "file.io";
  }
};

}  // namespace jax2onnx
