// SPDX-License-Identifier: Apache-2.0
#pragma once

// This header extends the converter: it has custom lowerers, the verbs that they use, and lowerings without a jaxpr.
// docs/api-extending.md lists them.
#include <jax2onnx/lower/direct/lower_primitive.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/ops/ops.hpp>
