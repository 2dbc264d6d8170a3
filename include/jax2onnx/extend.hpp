// SPDX-License-Identifier: Apache-2.0
#pragma once

// This header has what extends the converter: custom lowerers, the verbs that they use, and lowerings without a jaxpr.
// docs/api-extending.md lists it.
#include <jax2onnx/lower/direct/lower_primitive.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/ops/ops.hpp>
