#pragma once

#include <string>
#include <vector>

namespace cli {

/// All of a file, or of standard input where it is `-`. Throws jax2onnx::file_error.
std::string read_text(const std::string& path);

/// Replaces a file's content, or writes to standard output where it is `-`. Throws jax2onnx::file_error, also where the
/// file is one of `inputs`.
void write_text(const std::string& path, const std::string& content, const std::vector<std::string>& inputs = {});

}  // namespace cli
