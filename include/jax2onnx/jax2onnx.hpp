// SPDX-License-Identifier: Apache-2.0
#pragma once

// This header has what converts jaxprs and weights to models. docs/api-converting.md lists it. Models by hand are in
// jax2onnx/dsl.hpp, custom lowerers in jax2onnx/extend.hpp.
#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/version.hpp>
#include <jax2onnx/weights/borrowed_source.hpp>
#include <jax2onnx/weights/read_weights.hpp>
