#pragma once

#include "conversion_run.hpp"
#include "json_text.hpp"

#include <string>

#include <jax2onnx/rewrite/engine/target.hpp>

namespace cli {

/// For --targets: for each runtime, whether it will run the model, and what stops it.
std::string targets(const shared_text& text, const arguments& args);
std::string targets_json(const shared_text& text, const arguments& args);

/// Lines for what `obstacles_json` tells of each runtime.
std::string runtimes_table(const ordered_json& runs_in);

/// What keeps a runtime from running a model that was made or read.
ordered_json obstacles_json(const conversion_run& run, jax2onnx::runtime r);

}  // namespace cli
