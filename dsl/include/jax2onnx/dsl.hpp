// SPDX-License-Identifier: Apache-2.0
#pragma once

// These headers come first, so that the compiler's messages about calls that do not fit mention few headers.
#include <jax2onnx/dsl/structure/constants.hpp>
#include <jax2onnx/dsl/structure/control.hpp>
#include <jax2onnx/dsl/structure/functions.hpp>
#include <jax2onnx/dsl/structure/notes.hpp>
#include <jax2onnx/dsl/structure/own_operators.hpp>
#include <jax2onnx/dsl/typed/control.hpp>
#include <jax2onnx/dsl/typed/functions.hpp>
#include <jax2onnx/dsl/typed/mismatch.hpp>
#include <jax2onnx/dsl/typed/typed_ops.hpp>
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/ops/call/operators.hpp>
#include <jax2onnx/ops/verbs/by_name.hpp>
#include <jax2onnx/ops/verbs/verbs.hpp>

/// The header for models built by hand: graphs, and verbs on erased values and on typed handles. This header includes
/// neither the reader of jaxprs nor protobuf.
