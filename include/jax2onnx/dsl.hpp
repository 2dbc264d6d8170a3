#pragma once

// First, so that the compiler's messages about calls that do not fit name few headers.
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/ops/call/operators.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/ops/structure/constants.hpp>
#include <jax2onnx/ops/structure/control.hpp>
#include <jax2onnx/ops/structure/functions.hpp>
#include <jax2onnx/ops/structure/notes.hpp>
#include <jax2onnx/ops/structure/own_operators.hpp>
#include <jax2onnx/ops/typed/control.hpp>
#include <jax2onnx/ops/typed/functions.hpp>
#include <jax2onnx/ops/typed/mismatch.hpp>
#include <jax2onnx/ops/typed/typed_ops.hpp>
#include <jax2onnx/ops/verbs/verbs.hpp>

/// Models by hand: graphs, verbs on erased values and on typed handles. Without the reader of jaxprs, and without
/// protobuf.
