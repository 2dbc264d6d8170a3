#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cli {

/// The candidate that a misspelt word most probably is; empty where none is near.
std::string closest(std::string_view word, std::span<const std::string> candidates);

}  // namespace cli
