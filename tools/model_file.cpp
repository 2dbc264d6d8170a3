// SPDX-License-Identifier: Apache-2.0
#include "model_file.hpp"

#include "description.hpp"
#include "summary.hpp"
#include "targets.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

namespace cli {

using jax2onnx::detail::operator_counts;
using jax2onnx::detail::ordered_json;

namespace {

std::size_t node_count(const jax2onnx::graph& g) {
  std::size_t nodes = 0;
  for (std::size_t b = 0; b < g.block_count(); ++b) nodes += g.at(static_cast<jax2onnx::block_id>(b)).nodes.size();
  return nodes;
}

/// Counts the weights that the model has, and their bytes.
void count_weights(conversion_run& run) {
  jax2onnx::graph& g = run.made.model;
  for (std::size_t i = 0; i < g.value_count(); ++i) {
    const jax2onnx::value v(g, static_cast<jax2onnx::value_id>(i));
    if (!v.is_constant()) continue;
    ++run.made.stats.weights;
    run.made.stats.weight_bytes += v.data().size();
  }
}

conversion_run read(const arguments& args) {
  const auto begin = std::chrono::steady_clock::now();
  conversion_run run;
  jax2onnx::model model = jax2onnx::read_model_file(args.model);
  run.made.model = std::move(model.graph);
  run.envelope = std::move(model.envelope);
  run.nodes_read = node_count(run.made.model);
  count_weights(run);
  run.made.stats.parse = std::chrono::steady_clock::now() - begin;
  return run;
}

ordered_json contents(const conversion_run& run, const arguments& args) {
  const jax2onnx::graph& g = run.made.model;
  const jax2onnx::block& body = g.at(jax2onnx::block_id::main);
  ordered_json out = {{"model", args.model},
                      {"ir_version", run.envelope.ir_version},
                      {"opset", g.opset()},
                      {"producer", run.envelope.producer_name},
                      {"inputs", jax2onnx::detail::interface_json(g, body.inputs)},
                      {"outputs", jax2onnx::detail::interface_json(g, body.outputs)},
                      {"weights", {{"arrays", run.made.stats.weights}, {"bytes", run.made.stats.weight_bytes}}},
                      {"nodes", run.nodes_read}};
  for (const auto& [op, count] : operator_counts(g)) out["operators"][op] = count;
  out["runs_in"] = jax2onnx::detail::runs_in_json(run.made);
  return out;
}

}  // namespace

bool is_model_file(std::string_view file) { return file.ends_with(".onnx"); }

conversion_run optimize_file(const arguments& args, progress_line& progress) {
  conversion_run run = read(args);
  const auto begin = std::chrono::steady_clock::now();
  jax2onnx::rewrite_options options = args.given.conversion.rewrites;
  options.as_jax = false;
  run.made.rewrites = jax2onnx::optimize(run.made.model, options);
  run.made.warnings.insert(run.made.warnings.end(), run.made.rewrites.warnings.begin(),
                           run.made.rewrites.warnings.end());
  run.made.stats.rewrite = std::chrono::steady_clock::now() - begin;
  run.made.stats.nodes = node_count(run.made.model);
  if (args.dry_run) return run;
  run.output = args.output;
  write_output(run, args, progress);
  run.write = std::chrono::steady_clock::now() - begin - run.made.stats.rewrite;
  return run;
}

std::string model_contents(const arguments& args) {
  const conversion_run run = read(args);
  const ordered_json all = contents(run, args);
  if (args.json) return jax2onnx::detail::text_of(all);
  std::string out = fmt::format("{}: opset {}, IR version {}, written by {}\n", args.model, run.made.model.opset(),
                                run.envelope.ir_version, run.envelope.producer_name);
  for (const char* side : {"inputs", "outputs"}) {
    out += fmt::format("{}\n", side);
    for (const ordered_json& v : all[side])
      out += fmt::format("  {:<10} {}\n", v["name"].get<std::string>(), v["type"].get<std::string>());
  }
  out += fmt::format("weights\n  {}, {}\noperators\n", counted(run.made.stats.weights, "array"),
                     jax2onnx::detail::readable_size(run.made.stats.weight_bytes));
  for (const auto& [op, count] : operator_counts(run.made.model)) out += fmt::format("  {:<20} {}\n", op, count);
  return out + "runs in\n" + runtimes_table(all["runs_in"]);
}

}  // namespace cli
