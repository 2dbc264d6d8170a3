// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include "description.hpp"
#include "failure.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace cli {
namespace {

using interface = std::vector<std::pair<std::string, std::string>>;
using jax2onnx::detail::interface_of;
using jax2onnx::detail::operator_counts;
using jax2onnx::detail::readable_size;

std::string line(std::string_view label, std::string_view content) {
  return fmt::format("  {:<10}{}\n", label, content);
}

std::string lines(std::string_view label, const interface& values) {
  constexpr std::size_t shown = 8;
  const std::span first(values.data(), std::min(values.size(), shown));
  std::size_t width = 0;
  for (const auto& [name, type] : first) width = std::max(width, name.size());
  std::string out;
  for (const auto& [name, type] : first) {
    out += line(label, fmt::format("{:<{}}  {}", name, width, type));
    label = "";
  }
  if (values.size() > shown) out += line("", fmt::format("and {} more", values.size() - shown));
  return out;
}

double milliseconds(std::chrono::nanoseconds t) { return std::chrono::duration<double, std::milli>(t).count(); }

std::string details(const conversion_run& run) {
  const jax2onnx::statistics& s = run.made.stats;
  std::vector<std::string> counts;
  for (const auto& [op, count] : operator_counts(run.made.model)) counts.push_back(fmt::format("{} {}", op, count));
  const bool settled = run.made.rewrites.unsettled == 0;
  return line("operators", fmt::format("{}", fmt::join(counts, ", "))) +
         (settled ? "" : line("rewrites", "stopped although rules still applied; please report the text")) +
         line("time",
              fmt::format("parse {:.1f} ms, lower {:.1f} ms, rewrite {:.1f} ms, write {:.1f} ms", milliseconds(s.parse),
                          milliseconds(s.lower), milliseconds(s.rewrite), milliseconds(run.write)));
}

std::string destination(const conversion_run& run) {
  if (run.output.empty()) return "nothing written";
  std::string text =
      fmt::format("{}, {}", run.output == "-" ? "<stdout>" : run.output, readable_size(run.written.model_bytes));
  if (run.written.data_bytes)
    text += fmt::format("; {}, {}", run.written.data_file.string(), readable_size(run.written.data_bytes));
  return text;
}

}  // namespace

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string summary(const conversion_run& run, const arguments& args) {
  const jax2onnx::graph& g = run.made.model;
  const jax2onnx::statistics& s = run.made.stats;
  const jax2onnx::block& body = g.at(jax2onnx::block_id::main);
  const std::string before = run.nodes_read ? counted(run.nodes_read, "node") : counted(s.equations, "equation");
  const std::string size = fmt::format("{} -> {}", before, counted(s.nodes, "node"));
  std::string out = fmt::format("{} -> {} (opset {})", display_name(args), destination(run), g.opset());
  if (args.one_of_several && args.verbosity < 2) return fmt::format("{}: {}\n", out, size);
  out += "\n";
  out += lines("inputs", interface_of(g, body.inputs));
  out += lines("outputs", interface_of(g, body.outputs));
  if (s.constants_as_inputs)
    out += line("weights", fmt::format("none given: {} became {}", counted(s.constants_as_inputs, "closed-over array"),
                                       s.constants_as_inputs == 1 ? "an input" : "inputs"));
  else if (s.weights)
    out += line("weights", fmt::format("{}, {}", counted(s.weights, "array"), readable_size(s.weight_bytes)));
  out += line("size", size);
  return args.verbosity > 1 ? out + details(run) : out;
}

}  // namespace cli
