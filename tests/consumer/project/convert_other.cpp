// SPDX-License-Identifier: Apache-2.0
// A single catch handles everything that the library throws.
#include <jax2onnx/jax2onnx.hpp>

bool refuses_what_does_not_parse();
bool refuses_what_does_not_parse() {
  try {
    jax2onnx::convert("{ lambda");
  } catch (const jax2onnx::error& e) {
    return e.kind() == jax2onnx::failure::malformed && !e.diagnostics().empty();
  }
  return false;
}
