// SPDX-License-Identifier: Apache-2.0
#include "conversion_run.hpp"
#include "model_file.hpp"
#include "text_file.hpp"

#include <filesystem>
#include <iostream>
#include <system_error>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/version.hpp>

namespace cli {
namespace {

jax2onnx::emit_options emission(jax2onnx::emit_options options, const arguments& args, progress_line& progress) {
  options.progress = progress.sink();
  const jax2onnx::emit_options& given = args.given.emission;
  options.shape_info = given.shape_info;
  options.source_info = given.source_info;
  options.external = given.external;
  if (given.max_bytes) options.max_bytes = given.max_bytes;
  if (!is_model_file(args.model)) options.producer_version = jax2onnx::version;
  const std::vector<std::string> inputs = args.inputs();
  options.inputs.assign(inputs.begin(), inputs.end());
  return options;
}

/// Creates the folder of `file` if it does not exist. Ignores a failure: creating the file then fails for the same
/// reason and reports it.
void create_folder_of(const std::filesystem::path& file) {
  std::error_code unused;
  std::filesystem::create_directories(file.parent_path(), unused);
}

}  // namespace

void write_output(conversion_run& run, const arguments& args, progress_line& progress) {
  if (args.makes_folder) create_folder_of(run.output);
  const jax2onnx::graph& model = run.made.model;
  const jax2onnx::emit_options options = emission(run.envelope, args, progress);
  if (args.emit == "text") {
    const std::string text = jax2onnx::to_text(model, options);
    run.written.model_bytes = text.size();
    return text_output(run.output, args.inputs()).write(text);
  }
  run.written = run.output == "-" ? write_model(model, options, std::cout)
                                  : write_model(model, options, std::filesystem::path(run.output));
}

}  // namespace cli
