#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace jax2onnx {

/// A graph cannot be built as asked: an op's operands do not fit. The message names the op and the shapes.
class build_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is asked for needs an operator of a newer opset.
class opset_error : public build_error {
 public:
  opset_error(std::string_view op, int needed)
      : build_error(std::string(op) + " needs opset " + std::to_string(needed)), opset(needed) {}
  int opset;
};

/// A limit of `limits` was reached; the input is refused before anything of its size is allocated.
class limit_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace jax2onnx
