// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators.
#include <jax2onnx/dsl/typed/verbs/activation.hpp>
#include <jax2onnx/dsl/typed/verbs/attention.hpp>
#include <jax2onnx/dsl/typed/verbs/constant.hpp>
#include <jax2onnx/dsl/typed/verbs/convolution.hpp>
#include <jax2onnx/dsl/typed/verbs/elementwise.hpp>
#include <jax2onnx/dsl/typed/verbs/indexing.hpp>
#include <jax2onnx/dsl/typed/verbs/linear.hpp>
#include <jax2onnx/dsl/typed/verbs/loss.hpp>
#include <jax2onnx/dsl/typed/verbs/ml.hpp>
#include <jax2onnx/dsl/typed/verbs/normalization.hpp>
#include <jax2onnx/dsl/typed/verbs/pooling.hpp>
#include <jax2onnx/dsl/typed/verbs/quantization.hpp>
#include <jax2onnx/dsl/typed/verbs/random.hpp>
#include <jax2onnx/dsl/typed/verbs/recurrent.hpp>
#include <jax2onnx/dsl/typed/verbs/reduction.hpp>
#include <jax2onnx/dsl/typed/verbs/sequence.hpp>
#include <jax2onnx/dsl/typed/verbs/shape.hpp>
#include <jax2onnx/dsl/typed/verbs/signal.hpp>

/// Every operator of ONNX on typed handles.
