#pragma once

// The verbs that have ONNX operators of one output behind them, on erased handles. They are smart: what changes
// nothing emits nothing. Differences between opsets live in them and nowhere else.
#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/checked.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/extents.hpp>
#include <jax2onnx/ops/reduction.hpp>
#include <jax2onnx/ops/reshape.hpp>
#include <jax2onnx/ops/select.hpp>
