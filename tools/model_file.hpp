#pragma once

#include "conversion_run.hpp"
#include "progress.hpp"

#include <string>
#include <string_view>

namespace cli {

/// Whether a file is taken for an ONNX model, by its name.
bool is_model_file(std::string_view file);

/// Reads the model that `args` names, optimizes it as a conversion does, and writes it.
conversion_run optimize_file(const arguments& args, progress_line& progress);

/// What an ONNX file contains, and where it runs: for a person, or as JSON with --json.
std::string model_contents(const arguments& args);

}  // namespace cli
