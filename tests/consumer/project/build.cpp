// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <jax2onnx/dsl/typed/typed_ops.hpp>
#include <jax2onnx/emit/model.hpp>

using namespace jax2onnx;

/// The bytes of a model of one operator.
std::string relu_model();
std::string relu_model() {
  graph g;
  output(relu(input<float, "B"_d, 3>(g, "x")), "y");
  std::ostringstream out;
  write_model(g, {}, out);
  return out.str();
}
