// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arguments.hpp"
#include "progress.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include <jax2onnx/convert/conversion.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/emit/summary.hpp>

namespace cli {

using shared_text = std::shared_ptr<const std::string>;

/// A conversion and the files to which its model was written.
struct conversion_run {
  jax2onnx::conversion made;   ///< the result; for an ONNX file, only the model, its counts and times, and the rewrites
  std::size_t nodes_read = 0;  ///< the nodes of an ONNX file before it was optimized
  jax2onnx::emit_options envelope;  ///< the other parts of an ONNX file that was read, besides its graph
  std::string output;               ///< a file, or `-`; empty with --dry-run
  jax2onnx::emit_summary written;
  std::chrono::nanoseconds write{};
};

/// Reads the weights, converts `text`, and writes the model.
conversion_run convert_text(const shared_text& text, const arguments& args, progress_line& progress);

/// Writes the model, and sets the members of `run` that describe the written files. output.cpp defines it.
void write_output(conversion_run& run, const arguments& args, progress_line& progress);

}  // namespace cli
