// SPDX-License-Identifier: Apache-2.0
// The second translation unit of a program. Every function that both use is defined in both.
#include <sstream>

#include <jax2onnx/dsl/typed/typed_ops.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>

std::string relu_model();

int main() {
  jax2onnx::graph g;
  jax2onnx::output(jax2onnx::tanh(jax2onnx::input<float, 3>(g, "x")), "y");
  std::ostringstream out;
  jax2onnx::write_model(g, {}, out);
  return relu_model().empty() || out.str().empty() || jax2onnx::to_text(g).empty() ? 1 : 0;
}
