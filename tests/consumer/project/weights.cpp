// SPDX-License-Identifier: Apache-2.0
#include <jax2onnx/weights/read_weights.hpp>

int main() {
  try {
    jax2onnx::read_weights("no/such/file.npz");
  } catch (const jax2onnx::error& e) {
    return e.kind() == jax2onnx::failure::io ? 0 : 1;
  }
  return 1;
}
