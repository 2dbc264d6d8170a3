#include "conversion_run.hpp"
#include "model_file.hpp"
#include "text_file.hpp"

#include <iostream>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/version.hpp>

namespace cli {
namespace {

jax2onnx::emit_options emission(jax2onnx::emit_options options, const arguments& args, progress_line& progress) {
  options.progress = progress.sink();
  options.shape_info = args.shape_info;
  options.source_info = args.keep_source_info;
  if (!is_model_file(args.model)) options.producer_version = jax2onnx::version;
  if (const auto limit = args.limits.find("output"); limit != args.limits.end())
    options.max_bytes = static_cast<std::uint64_t>(limit->second);
  const std::vector<std::string> inputs = args.inputs();
  options.inputs.assign(inputs.begin(), inputs.end());
  if (args.external_data.empty()) return options;
  const bool reference = args.external_data == "reference";
  options.external.placement =
      reference ? jax2onnx::weights_placement::reference : jax2onnx::weights_placement::data_file;
  if (!reference && args.external_data != named_by_content) options.external.file = args.external_data;
  return options;
}

}  // namespace

void write_output(conversion_run& run, const arguments& args, progress_line& progress) {
  const jax2onnx::graph& model = run.model;
  const jax2onnx::emit_options options = emission(run.envelope, args, progress);
  if (args.emit == "text") {
    const std::string text = jax2onnx::to_text(model, options);
    run.model_bytes = text.size();
    return text_output(run.output, args.inputs()).write(text);
  }
  const jax2onnx::emit_summary written = run.output == "-"
                                             ? write_model(model, options, std::cout)
                                             : write_model(model, options, std::filesystem::path(run.output));
  run.model_bytes = written.model_bytes;
  run.data_bytes = written.data_bytes;
  run.data_file = written.data_file.string();
}

}  // namespace cli
