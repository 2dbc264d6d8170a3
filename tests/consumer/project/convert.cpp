// SPDX-License-Identifier: Apache-2.0
// Converts a text that is moved in, with the umbrella header.
#include <sstream>
#include <string>

#include <jax2onnx/jax2onnx.hpp>

bool refuses_what_does_not_parse();

int main() {
  std::string text = "{ lambda ; a:f32[B,3]. let b:f32[B,3] = tanh a in (b,) }";
  const jax2onnx::conversion made = jax2onnx::convert(std::move(text));
  std::ostringstream out;
  const jax2onnx::emit_summary written = jax2onnx::write_model(made.model, {}, out);
  return written.model_bytes == out.str().size() && refuses_what_does_not_parse() ? 0 : 1;
}
