#pragma once

// Written by scripts/generate-operators.
#include <jax2onnx/ops/typed/verbs/activation.hpp>
#include <jax2onnx/ops/typed/verbs/attention.hpp>
#include <jax2onnx/ops/typed/verbs/constant.hpp>
#include <jax2onnx/ops/typed/verbs/convolution.hpp>
#include <jax2onnx/ops/typed/verbs/elementwise.hpp>
#include <jax2onnx/ops/typed/verbs/indexing.hpp>
#include <jax2onnx/ops/typed/verbs/linear.hpp>
#include <jax2onnx/ops/typed/verbs/loss.hpp>
#include <jax2onnx/ops/typed/verbs/ml.hpp>
#include <jax2onnx/ops/typed/verbs/normalization.hpp>
#include <jax2onnx/ops/typed/verbs/pooling.hpp>
#include <jax2onnx/ops/typed/verbs/quantization.hpp>
#include <jax2onnx/ops/typed/verbs/random.hpp>
#include <jax2onnx/ops/typed/verbs/recurrent.hpp>
#include <jax2onnx/ops/typed/verbs/reduction.hpp>
#include <jax2onnx/ops/typed/verbs/sequence.hpp>
#include <jax2onnx/ops/typed/verbs/shape.hpp>
#include <jax2onnx/ops/typed/verbs/signal.hpp>

/// Every operator of ONNX on typed handles.
