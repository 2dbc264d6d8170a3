// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/emit/output_file.hpp>

namespace cli {

/// The content of a file, or of standard input if `path` is `-`. Throws jax2onnx::file_error if the file cannot be read
/// or has more than `limit` bytes.
std::string read_text(const std::string& path, std::size_t limit);

/// A file whose content will be replaced, or standard output if the path is `-`. The file is opened early, so that a
/// wrong name is reported before the work begins.
class text_output {
 public:
  /// Throws jax2onnx::file_error if the file cannot be created or is one of `inputs`.
  explicit text_output(std::string path, const std::vector<std::string>& inputs = {});
  void write(const std::string& content);

 private:
  std::string path_;
  std::optional<jax2onnx::detail::output_file> file_;
};

}  // namespace cli
