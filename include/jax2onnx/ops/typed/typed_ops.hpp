#pragma once

#include <jax2onnx/ops/typed/arithmetic.hpp>
#include <jax2onnx/ops/typed/mismatch.hpp>
#include <jax2onnx/ops/typed/shapes.hpp>
#include <jax2onnx/ops/typed/verbs/verbs.hpp>

/// All verbs on typed handles.
