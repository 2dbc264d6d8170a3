#pragma once

// The public surface: texts to models, lowerers of your own, graphs by hand, weights files, model files. docs/api.md
// lists it. Programs that need less include less.
#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/lower/direct/lower_primitive.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/read/join.hpp>
#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/version.hpp>
#include <jax2onnx/weights/borrowed_source.hpp>
#include <jax2onnx/weights/read_weights.hpp>
