// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cli {

/// Runs the command line tool; returns its exit code. The arguments are those of main().
int tool(int argc, char** argv);

}  // namespace cli
