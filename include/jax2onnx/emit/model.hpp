// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>

#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/emit/summary.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/file_error.hpp>

/// Writing ONNX files. The functions only read the graph: several threads may write one graph at once.
namespace jax2onnx {

/// Writes a model to `out` and, if the model has external data, a data file beside `out`. Both files appear complete or
/// not at all: earlier files stay until then, even if the process is killed. A model never gets the data of another
/// model. A data file without a given name is named by its content; such data files of older versions of the model are
/// removed. A new file takes the mode and owner of the file that it replaces. Weights are streamed from their files.
/// Throws file_error if a file cannot be written or a weight cannot be read. Throws limit_error if the model file would
/// have over 2 GiB, or if the constants exceed emit_options::max_bytes.
emit_summary write_model(const graph& g, const emit_options& options, const std::filesystem::path& out);
/// Writes a model with default options.
inline emit_summary write_model(const graph& g, const std::filesystem::path& out) { return write_model(g, {}, out); }

/// Writes a model without external data to a stream. Throws like the function above, and file_error if the options ask
/// for external data. If it throws, the stream may have a part of the model.
emit_summary write_model(const graph& g, const emit_options& options, std::ostream& out);
/// Writes a model to a stream with default options.
inline emit_summary write_model(const graph& g, std::ostream& out) { return write_model(g, {}, out); }

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/emit/model.inl.hpp>
#endif
