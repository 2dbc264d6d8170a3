// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cli {

/// The exit codes of the process, which the manual page documents.
enum class exit_code : int {
  ok = 0,
  usage = 1,
  malformed = 2,
  unsupported = 3,
  io = 4,
  refused = 6,
  internal = 70,
};

}  // namespace cli
