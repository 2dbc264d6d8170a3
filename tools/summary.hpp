// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conversion_run.hpp"

#include <string>
#include <string_view>

namespace cli {

/// `1 node`, `2 nodes`.
std::string counted(std::size_t count, std::string_view noun);

/// Describes the result of a conversion in a few lines; with -v also the counts of operators and the times.
std::string summary(const conversion_run& run, const arguments& args);

}  // namespace cli
