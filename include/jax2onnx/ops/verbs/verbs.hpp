// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators.
#include <jax2onnx/ops/verbs/activation.hpp>
#include <jax2onnx/ops/verbs/attention.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>
#include <jax2onnx/ops/verbs/constant.hpp>
#include <jax2onnx/ops/verbs/control.hpp>
#include <jax2onnx/ops/verbs/convolution.hpp>
#include <jax2onnx/ops/verbs/elementwise.hpp>
#include <jax2onnx/ops/verbs/indexing.hpp>
#include <jax2onnx/ops/verbs/linear.hpp>
#include <jax2onnx/ops/verbs/loss.hpp>
#include <jax2onnx/ops/verbs/ml.hpp>
#include <jax2onnx/ops/verbs/normalization.hpp>
#include <jax2onnx/ops/verbs/pooling.hpp>
#include <jax2onnx/ops/verbs/quantization.hpp>
#include <jax2onnx/ops/verbs/random.hpp>
#include <jax2onnx/ops/verbs/recurrent.hpp>
#include <jax2onnx/ops/verbs/reduction.hpp>
#include <jax2onnx/ops/verbs/sequence.hpp>
#include <jax2onnx/ops/verbs/shape.hpp>
#include <jax2onnx/ops/verbs/signal.hpp>

/// Every operator of ONNX as a verb: one node for each call, which is checked where it is made.
