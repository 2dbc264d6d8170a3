// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arguments.hpp"

#include <exception>
#include <string>
#include <vector>

#include <jaxpr/diagnostic.hpp>

namespace cli {

/// A failed run: its exit code and all problems. If a problem has no position in the text, its range `where` is empty.
struct failure {
  exit_code code = exit_code::internal;
  std::vector<jaxpr::diagnostic> problems;
};

/// Describes an exception of any part of the tool as a failure.
failure explain(const std::exception_ptr& thrown);

/// Prints diagnostics on standard error; without -v no more than 20.
void print_diagnostics(const std::vector<jaxpr::diagnostic>& found, const std::string& text, const arguments& args);

/// The name of the input in messages: `<stdin>` for standard input.
std::string display_name(const arguments& args);

}  // namespace cli
