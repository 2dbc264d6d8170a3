// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cli {

/// The page that shows a report: web/dist/report.html, which the build turns into an array.
extern const unsigned char report_page[];
extern const std::size_t report_page_size;

}  // namespace cli
