// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conversion_run.hpp"
#include "json_text.hpp"

#include <string>

#include <jax2onnx/rewrite/engine/target.hpp>

namespace cli {

/// For --targets: for each runtime, whether it will run the model, and what stops it.
std::string targets(const shared_text& text, const arguments& args);
std::string targets_json(const shared_text& text, const arguments& args);

/// The obstacles that keep a runtime from running a model that was made or read.
ordered_json obstacles_json(const conversion_run& run, jax2onnx::runtime r);
/// The same of all runtimes, by their names, and as lines.
/// @{
ordered_json runs_in_json(const conversion_run& run);
std::string runtimes_table(const ordered_json& runs_in);
/// @}

}  // namespace cli
