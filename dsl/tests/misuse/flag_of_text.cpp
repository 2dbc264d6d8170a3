// A flag is no text: C++ would take it for true.
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

void misuse(const value& x) { (void)(argmax(x, {.axis = 1, .keepdims = "false"})); }
