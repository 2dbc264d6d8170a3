// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conversion_run.hpp"

#include <string_view>
#include <vector>

#include <jaxpr/diagnostic.hpp>

namespace cli {

/// A report for machines (JSON), for reading (Markdown) or to look at (a page with the JSON in it).
enum class report_format { markdown, json, html };

/// The format of a report, by the name of its file.
report_format format_of(std::string_view file);

/// The page that shows a report in JSON, beside another one that it is compared with; `null` for none.
std::string page_of(std::string_view data, std::string_view before = "null");

/// The report of a conversion; `run` is null where it failed. JSON and pages tell of every node and weight, and read
/// all weights. Throws file_error where these cannot be read.
std::string report(report_format format, const conversion_run* run, const std::vector<jaxpr::diagnostic>& problems,
                   const std::string& text, const arguments& args);

}  // namespace cli
