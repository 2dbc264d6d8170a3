// SPDX-License-Identifier: Apache-2.0
// A flag does not accept strings, although C++ converts them to true.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(const value& x) { (void)(argmax(x, {.axis = 1, .keepdims = "false"})); }
