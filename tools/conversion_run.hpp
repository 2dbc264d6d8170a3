// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arguments.hpp"
#include "progress.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <jax2onnx/convert/conversion.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/driver/report.hpp>
#include <jax2onnx/rewrite/optimize.hpp>
#include <jaxpr/ast.hpp>
#include <jaxpr/diagnostic.hpp>

namespace cli {

using shared_text = std::shared_ptr<const std::string>;

/// A conversion and where its model went.
struct conversion_run {
  shared_text text;
  jaxpr::program source;
  jax2onnx::graph model;
  std::vector<jaxpr::diagnostic> warnings;
  jax2onnx::rewrite_report rewrites;  ///< with events if a report tells of every node
  std::size_t equations = 0;          ///< as printed
  std::size_t nodes_read = 0;         ///< of an ONNX file, before it was optimized
  std::size_t nodes = 0;
  std::size_t weights = 0;
  std::uint64_t weight_bytes = 0;
  std::size_t constants_as_inputs = 0;
  std::chrono::nanoseconds parse{}, lower{}, rewrite{}, write{};

  jax2onnx::emit_options envelope;  ///< what the file says besides the graph, if an ONNX file was read
  std::string output;               ///< a file, or `-`; empty with --dry-run
  std::uint64_t model_bytes = 0;
  std::uint64_t data_bytes = 0;  ///< of the external data file
  std::string data_file;
};

/// A conversion whose model was not written.
conversion_run run_of(jax2onnx::conversion c);

/// Reads the weights, converts `text`, and writes the model.
conversion_run convert_text(const shared_text& text, const arguments& args, progress_line& progress);

/// Writes the model, filling in what `run` says about it. The only unit that knows protobuf.
void write_output(conversion_run& run, const arguments& args, progress_line& progress);

}  // namespace cli
