#pragma once

#include <stdexcept>
#include <string>

namespace jax2onnx {

/// A graph cannot be built as asked: an op's operands do not fit. The message names the op and the shapes.
class build_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A limit of `limits` was reached; the input is refused before anything of its size is allocated.
class limit_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace jax2onnx
