// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// A file cannot be read or written, or has damaged content: the kind is malformed, io, unsafe or unsupported. The
/// message names the file. The help, if any, says what to do.
class file_error : public error {
 public:
  /// `kind` decides the diagnostic's code: file.malformed, file.refused, file.unsupported or file.io.
  file_error(failure kind, std::string message, std::string help = {})
      : error(kind, code(kind), std::move(message), std::move(help)) {}

 private:
  static std::string code(failure kind) {
    switch (kind) {
      case failure::malformed: return "file.malformed";
      case failure::unsafe: return "file.refused";
      case failure::unsupported: return "file.unsupported";
      default: return "file.io";
    }
  }
};

}  // namespace jax2onnx
