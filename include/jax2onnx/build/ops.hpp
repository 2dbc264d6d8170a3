#pragma once

// The verbs that have ONNX operators of one output behind them, on erased handles. They are smart: what changes
// nothing emits nothing. Differences between opsets live in them and nowhere else.
#include <jax2onnx/build/axes.hpp>
#include <jax2onnx/build/checked.hpp>
#include <jax2onnx/build/constants.hpp>
#include <jax2onnx/build/elementwise.hpp>
#include <jax2onnx/build/extents.hpp>
#include <jax2onnx/build/reduce.hpp>
#include <jax2onnx/build/reshape.hpp>
#include <jax2onnx/build/select.hpp>
