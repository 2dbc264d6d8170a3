// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <jax2onnx/jax2onnx.hpp>

int main() {
  const jax2onnx::conversion made = jax2onnx::convert("{ lambda ; a:f32[B,3]. let b:f32[B,3] = tanh a in (b,) }");
  std::ostringstream out;
  return jax2onnx::write_model(made.model, {}, out).model_bytes > 0 ? 0 : 1;
}
