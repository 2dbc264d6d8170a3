// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// The differences between two reports in JSON, as Markdown. Throws file_error if a file cannot be read or is not a
/// report.
std::string report_diff(const std::string& before, const std::string& after);

/// The differences between two reports as a page: both graphs side by side. Throws file_error also for the report of a
/// failed conversion.
std::string report_diff_page(const std::string& before, const std::string& after);

}  // namespace cli
