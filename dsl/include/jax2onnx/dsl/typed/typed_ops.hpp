// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/dsl/typed/arithmetic.hpp>
#include <jax2onnx/dsl/typed/mismatch.hpp>
#include <jax2onnx/dsl/typed/shapes.hpp>
#include <jax2onnx/dsl/typed/verbs/verbs.hpp>

/// All verbs on typed handles.
