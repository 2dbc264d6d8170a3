// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conversion_run.hpp"
#include "progress.hpp"

#include <string>
#include <string_view>

namespace cli {

/// True if the name of a file ends in `.onnx`.
bool is_model_file(std::string_view file);

/// Reads the model that `args` names, optimizes it as a conversion does, and writes it.
conversion_run optimize_file(const arguments& args, progress_line& progress);

/// Describes the contents of an ONNX file and the runtimes that run it: as text, or as JSON with --json.
std::string model_contents(const arguments& args);

}  // namespace cli
