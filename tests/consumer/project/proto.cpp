// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/dsl/typed/typed_ops.hpp>
#include <jax2onnx/emit/proto.hpp>

int main() {
  jax2onnx::graph g;
  jax2onnx::output(jax2onnx::tanh(jax2onnx::input<float, 3>(g, "x")), "y");
  return jax2onnx::to_proto(g).graph().node(0).op_type() == "Tanh" ? 0 : 1;
}
