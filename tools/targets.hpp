// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conversion_run.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace cli {

/// The output of --targets: for each runtime, whether the runtime will run the model, and what stops it.
std::string targets(const shared_text& text, const arguments& args);
std::string targets_json(const shared_text& text, const arguments& args);

/// A table of all runtimes and their obstacles. `runs_in` is the result of detail::runs_in_json().
std::string runtimes_table(const nlohmann::ordered_json& runs_in);

}  // namespace cli
