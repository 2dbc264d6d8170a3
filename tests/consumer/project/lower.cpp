// SPDX-License-Identifier: Apache-2.0
// Lists the primitives that have lowerings, without a jaxpr.
#include <jax2onnx/lower/builtin.hpp>

int main() {
  for (const jax2onnx::lowering& row : jax2onnx::builtin_lowerings())
    if (row.primitive == "scatter") return 0;
  return 1;
}
