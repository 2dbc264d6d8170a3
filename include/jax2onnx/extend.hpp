#pragma once

// To extend the converter: lowerers of a program's own, the verbs that they use, and lowerings without a text.
// docs/api-extending.md lists it.
#include <jax2onnx/lower/direct/lower_primitive.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/ops/ops.hpp>
