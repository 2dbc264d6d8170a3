// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/read/read_options.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/file_error.hpp>

/// Functions that read ONNX files.
namespace jax2onnx {

/// A model as it was read.
struct model {
  jax2onnx::graph graph;  ///< what it computes
  emit_options envelope;  ///< the version of the file format and the producer, for writing the model again
};

/// Reads a model: all operators (also of domains that ONNX does not define), bodies, initializers, external data.
/// Weights are not copied: they stay in the file, which must not change while the graph lives. Calls of the model's
/// functions are inlined. Names of inputs, outputs and values are kept. Types of values are inferred, and completed by
/// the types that the model states; a symbolic extent counts as at least 1. An initializer that is also an input is a
/// constant. A model of an opset below 17 is read as a model of opset 17 if all of its operators have the same form
/// there.
///
/// The file need not be trusted. Throws a file_error for a damaged file, for a model that contradicts itself or the
/// specification, for data outside of the model's directory, and for features that graphs do not support: sparse
/// tensors, maps, attributes that are lists of graphs or tensors. Throws a limit_error for a model that is too large.
/// @{
model read_model_file(const std::filesystem::path& file, const read_options& options = {});
graph read_model(const std::filesystem::path& file, const read_options& options = {});
/// @}

/// Reads a model in memory; the graph shares the model's large weights. `shown_as` names the model in messages. Throws
/// like read_model().
model read_model_bytes(std::string encoded, const read_options& options = {}, std::string shown_as = "model");

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/read/read_model.inl.hpp>
#endif
