// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// A script that completes the tool's options and file names in `bash`, `zsh`, `fish` or `powershell`.
std::string completion_script(const std::string& shell);

}  // namespace cli
