// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conversion_run.hpp"

#include <string>

namespace cli {

/// The model of a conversion as the object `graph` of a report: nodes, values, weights, equations, rewrites. Reads all
/// weights. docs/report.schema.json describes it.
std::string report_graph(const conversion_run& run);

/// The text of a conversion as the object `source` of a report.
std::string report_source(const std::string& name, const std::string& text);

}  // namespace cli
