// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conversion_run.hpp"

#include <string>

namespace cli {

/// Describes the result of a conversion in a few lines; with -v also the counts of operators and the times.
std::string summary(const conversion_run& run, const arguments& args);

}  // namespace cli
