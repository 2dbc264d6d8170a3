// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jax2onnx::detail {

/// The page that shows a report: web/dist/report.html, which the build turns into an array.
extern const unsigned char report_page[];
extern const std::size_t report_page_size;

/// The page that shows a report. Both arguments are reports in JSON; `before` is a report to compare with, or `null`.
std::string page_of(std::string_view data, std::string_view before = "null");

}  // namespace jax2onnx::detail
