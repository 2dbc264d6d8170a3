#pragma once

#include "conversion_run.hpp"

#include <vector>

#include <jaxpr/diagnostic.hpp>

namespace cli {

/// A report for machines (JSON) or for reading (Markdown). `run` is null where the conversion failed.
std::string report(bool json, const conversion_run* run, const std::vector<jaxpr::diagnostic>& problems,
                   const std::string& text, const arguments& args);

}  // namespace cli
