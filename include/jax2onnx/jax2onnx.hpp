// SPDX-License-Identifier: Apache-2.0
#pragma once

// This header has the functions that convert jaxprs and weights to models; docs/api-converting.md lists them.
// jax2onnx/dsl.hpp builds models by hand, and jax2onnx/extend.hpp has custom lowerers.
#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/version.hpp>
#include <jax2onnx/weights/borrowed_source.hpp>
#include <jax2onnx/weights/read_weights.hpp>
