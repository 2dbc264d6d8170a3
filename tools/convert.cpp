// SPDX-License-Identifier: Apache-2.0
#include "conversion_run.hpp"
#include "json_text.hpp"
#include "survey.hpp"
#include "text_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/report.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/weights/read_weights.hpp>

namespace cli {
namespace {

constexpr std::size_t longest_map = 100'000'000;  // bytes; other JSON about weights has the same limit

/// The arrays of all weights files. A weights map replaces the order that the metadata of a file may state.
jax2onnx::weights_file read_all_weights(const arguments& args) {
  jax2onnx::weights_file all;
  for (const std::string& name : args.weights) {
    jax2onnx::weights_file file = jax2onnx::read_weights_file(name);
    if (!file.inputs.empty()) all.inputs = std::move(file.inputs);
    if (!file.outputs.empty()) all.outputs = std::move(file.outputs);
    if (!args.given.weights_map.empty()) file.constvars.reset();
    std::ranges::move(in_constvar_order(std::move(file), name), std::back_inserter(all.weights));
  }
  return all;
}

/// True if a model can refer to an array in the weights file, or contains the array since it is small.
bool may_stay(const jax2onnx::weight& w) {
  return w.data->size() < jax2onnx::external_data().threshold || w.data->location();
}

bool refers_to_weights(const arguments& args) {
  return args.given.emission.external.placement == jax2onnx::weights_placement::reference;
}

/// Adds a warning if arrays are copied although the model should refer to them in the weights files.
void warn_of_copies(conversion_run& run, const arguments& args, const std::vector<jax2onnx::weight>& weights) {
  const auto staying = static_cast<std::size_t>(std::ranges::count_if(weights, may_stay));
  if (!refers_to_weights(args) || staying == weights.size()) return;
  run.made.warnings.push_back(
      {jaxpr::severity::warning,
       "weights.copied",
       fmt::format(
           "{}: the model gets copies of {} of {} arrays: it cannot refer to arrays that are compressed, big-endian or "
           "in Fortran order",
           fmt::join(args.weights, ", "), weights.size() - staying, weights.size()),
       {},
       "numpy.savez and .safetensors files store arrays as they are",
       {}});
}

jax2onnx::options conversion_options(const arguments& args, jax2onnx::weights_file& weights, progress_line& progress) {
  jax2onnx::options options = args.given.conversion;
  if (options.input_names.empty()) options.input_names = std::move(weights.inputs);
  if (options.output_names.empty()) options.output_names = std::move(weights.outputs);
  options.lowering.progress = progress.sink();
  // A weight that is transposed could not stay in its file.
  if (refers_to_weights(args) && std::ranges::any_of(weights.weights, may_stay))
    options.rewrites.disabled.insert("fold-transpose");
  options.rewrites.keep_events =
      !args.report.empty() && jax2onnx::report_format_of(args.report) != jax2onnx::report_format::markdown;
  if (const std::string& map = args.given.weights_map; !map.empty())
    options.weights_map = jax2onnx::parse_weights_map(read_text(map, longest_map), map);
  return options;
}

}  // namespace

/// A cell of a Markdown table.
static std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

static std::string_view stage_of(const jax2onnx::rewrite::rule& r) {
  return jax2onnx::rewrite::stages[static_cast<std::size_t>(r.when)].name;
}

/// A table of the stages, and a section for each group of rules, in the order in which the rules are tried.
static std::string markdown_of_rewrites() {
  std::string out = "| stage | what its rules do |\n| --- | --- |\n";
  for (const jax2onnx::rewrite::stage_row& s : jax2onnx::rewrite::stages)
    out += fmt::format("| {} | {} |\n", s.name, s.says);
  std::size_t number = 0;
  for (const jax2onnx::rewrite::rule_group& group : jax2onnx::rewrite_order()) {
    out += fmt::format("\n## {}. {}\n\n| rule | stage | equation | needs |\n| --- | --- | --- | --- |\n", ++number,
                       group.name);
    for (const jax2onnx::rewrite::rule& r : group.rules)
      out += fmt::format("| `{}` | {} | `{}` | {} |\n", r.name, stage_of(r), cell(r.equation), cell(r.needs));
  }
  return out;
}

static std::string json_of_rewrites() {
  using jax2onnx::detail::ordered_json;
  ordered_json out = ordered_json::array();
  for (const jax2onnx::rewrite::rule_group& group : jax2onnx::rewrite_order())
    for (const jax2onnx::rewrite::rule& r : group.rules)
      out.push_back({{"rule", r.name},
                     {"group", group.name},
                     {"stage", stage_of(r)},
                     {"equation", r.equation},
                     {"needs", r.needs}});
  return jax2onnx::detail::text_of(out);
}

std::string list_rewrites(std::string_view format) {
  if (format == "markdown") return markdown_of_rewrites();
  if (format == "json") return json_of_rewrites();
  std::string out;
  for (const jax2onnx::rewrite::rule& r : jax2onnx::rewrite_rules())
    out += fmt::format("{:<26} {:<7} {}{}\n", r.name, stage_of(r), r.equation,
                       r.needs.empty() ? "" : fmt::format(" ({})", r.needs));
  return out;
}

conversion_run convert_text(const shared_text& text, const arguments& args, progress_line& progress) {
  jax2onnx::weights_file weights = read_all_weights(args);
  conversion_run run;
  run.made = jax2onnx::convert(text, weights.weights, conversion_options(args, weights, progress));
  const std::size_t left = run.made.stats.constants_as_inputs;
  if (!args.weights.empty() && left > 0)
    throw jax2onnx::file_error(jax2onnx::failure::malformed,
                               jax2onnx::detail::message("{}: has no arrays, but the jaxpr closes over {} array{|s}",
                                                         args.weights.front(), left),
                               "without -w, closed-over arrays become inputs");
  warn_of_copies(run, args, weights.weights);
  if (args.dry_run) return run;
  run.output = args.output;
  const auto start = std::chrono::steady_clock::now();
  write_output(run, args, progress);
  run.write = std::chrono::steady_clock::now() - start;
  return run;
}

}  // namespace cli
