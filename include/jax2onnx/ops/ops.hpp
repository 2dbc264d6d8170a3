// SPDX-License-Identifier: Apache-2.0
#pragma once

// All verbs on erased handles. A verb adds ONNX nodes to the current block of its operands' graph and returns the
// results. A verb without effect adds no node, and small constants are computed at once. Verbs hide differences between
// opsets; a verb that the graph's opset cannot express throws an opset_error. Operands that do not fit throw a
// build_error, which names the operator and the types.
#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/ops/cumulative.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/extents.hpp>
#include <jax2onnx/ops/float_bits.hpp>
#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/ops/linear.hpp>
#include <jax2onnx/ops/math.hpp>
#include <jax2onnx/ops/pooling.hpp>
#include <jax2onnx/ops/reduction.hpp>
#include <jax2onnx/ops/shape.hpp>
#include <jax2onnx/ops/slice.hpp>
#include <jax2onnx/ops/trigonometry.hpp>
#include <jax2onnx/ops/window.hpp>
