// The second translation unit of a program: every function of the library is in both.
#include <iostream>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/ops/typed/typed_ops.hpp>
#include <jax2onnx/weights/read_weights.hpp>

std::string relu_model();

int main() {
  jax2onnx::graph g;
  jax2onnx::output(jax2onnx::tanh(jax2onnx::input<float, 3>(g, "x")), "y");
  jax2onnx::write_model(g, {}, std::cout);
  return relu_model().empty() ? 1 : 0;
}
