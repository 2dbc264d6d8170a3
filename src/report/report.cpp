// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"
#include "report_graph.hpp"
#include "report_page.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <jax2onnx/convert/option_table.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/report.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/version.hpp>
#include <jaxpr/escape.hpp>
#include <jaxpr/jaxpr.hpp>

namespace jax2onnx {
namespace detail {
namespace {

using json = ordered_json;

json describe(const diagnostic& d, std::string_view text) {
  json out = {
      {"level", d.level == jaxpr::severity::error ? "error" : "warning"}, {"code", d.code}, {"message", d.message}};
  if (d.where.end > 0) {
    const jaxpr::line_column place = jaxpr::locate(text, d.where.begin);
    out["line"] = place.line;
    out["column"] = place.column;
  }
  if (d.where.end > d.where.begin) out["end_line"] = jaxpr::locate(text, d.where.end - 1).line;
  if (!d.help.empty()) out["help"] = d.help;
  for (const diagnostic& note : d.notes) {
    json entry = {{"message", note.message}};
    if (note.where.end > 0) entry["line"] = jaxpr::locate(text, note.where.begin).line;
    out["notes"].push_back(std::move(entry));
  }
  return out;
}

json describe(const conversion& made, const report_options& o) {
  const graph& g = made.model;
  const statistics& s = made.stats;
  const auto seconds = [](std::chrono::nanoseconds t) { return std::chrono::duration<double>(t).count(); };
  json out;
  out["output"] = o.output;
  out["opset"] = g.opset();
  out["ir_version"] = emit_options{}.ir_version;
  out["inputs"] = interface_json(g, g.at(block_id::main).inputs);
  out["outputs"] = interface_json(g, g.at(block_id::main).outputs);
  out["weights"] = {{"arrays", s.weights}, {"bytes", s.weight_bytes}, {"as_inputs", s.constants_as_inputs}};
  out["bytes"] = {{"model", o.written.model_bytes}, {"data", o.written.data_bytes}};
  if (!o.written.data_file.empty()) out["data_file"] = o.written.data_file.string();
  out["equations"] = s.equations;
  out["nodes"] = s.nodes;
  for (const auto& [op, count] : operator_counts(g)) out["operators"][op] = count;
  for (const auto& [primitive, count] : count_primitives(made.source))
    out["primitives"][std::string(primitive)] = count;
  out["runs_in"] = runs_in_json(made);
  out["seconds"] = {{"parse", seconds(s.parse)},
                    {"lower", seconds(s.lower)},
                    {"rewrite", seconds(s.rewrite)},
                    {"write", seconds(o.write)}};
  return out;
}

std::string counts_table(const char* what, const json& counts) {
  std::string out = fmt::format("\n| {} | count |\n| --- | ---: |\n", what);
  for (const auto& [name, count] : counts.items())
    out += fmt::format("| `{}` | {} |\n", name, count.get<std::size_t>());
  return out;
}

std::string interface_table(const json& values) {
  std::string out = "\n| name | type |\n| --- | --- |\n";
  for (const json& v : values)
    out += fmt::format("| `{}` | `{}` |\n", v["name"].get<std::string>(), v["type"].get<std::string>());
  return out;
}

std::string overview(const json& m) {
  const auto size = [](const json& bytes) { return readable_size(bytes.get<std::uint64_t>()); };
  const json& weights = m["weights"];
  std::string out =
      message("\nOpset {}, IR version {}: {} equation{|s} became {} node{|s}.\n", m["opset"].get<int>(),
              m["ir_version"].get<int>(), m["equations"].get<std::size_t>(), m["nodes"].get<std::size_t>());
  out += message("Weights: {} array{|s}, {}; {} closed-over array{ became an input|s became inputs}.\n",
                 weights["arrays"].get<std::size_t>(), size(weights["bytes"]), weights["as_inputs"].get<std::size_t>());
  const std::string output = m["output"].get<std::string>();
  if (!output.empty()) out += fmt::format("Written: `{}`, {}", output, size(m["bytes"]["model"]));
  if (m.contains("data_file"))
    out += fmt::format("; `{}`, {}", m["data_file"].get<std::string>(), size(m["bytes"]["data"]));
  return output.empty() ? out : out + ".\n";
}

std::string times_table(const json& seconds) {
  std::string out = "\n| phase | ms |\n| --- | ---: |\n";
  for (const auto& [phase, time] : seconds.items())
    out += fmt::format("| {} | {:.1f} |\n", phase, 1000 * time.get<double>());
  return out;
}

/// A table of runtimes with the obstacles of each.
std::string runtimes_table(const json& runs_in) {
  std::string out = "\n| runtime | |\n| --- | --- |\n";
  for (const auto& [name, obstacles] : runs_in.items()) {
    std::string stops;
    for (const json& o : obstacles)
      stops += fmt::format("{}{} ({})", stops.empty() ? "" : "; ", o["why"].get<std::string>(), o["nodes"].get<int>());
    out += fmt::format("| {} | {} |\n", name, stops.empty() ? "runs" : stops);
  }
  return out;
}

std::string markdown(const json& r) {
  std::string out = fmt::format("# {}: {}\n", r["input"].get<std::string>(), r["result"].get<std::string>());
  if (r.contains("model")) {
    const json& m = r["model"];
    out += overview(m);
    out += "\n## Inputs\n" + interface_table(m["inputs"]) + "\n## Outputs\n" + interface_table(m["outputs"]);
    out += "\n## Contents\n";
    if (m.contains("primitives")) out += counts_table("primitive", m["primitives"]);
    if (m.contains("operators")) out += counts_table("operator", m["operators"]);
    out += "\n## Runs in\n" + runtimes_table(m["runs_in"]);
    out += "\n## Time\n" + times_table(m["seconds"]);
  }
  if (!r["problems"].empty()) out += "\n## Problems\n\n";
  for (const json& p : r["problems"]) {
    const std::string place =
        p.contains("line") ? fmt::format("{}:{}: ", p["line"].get<int>(), p["column"].get<int>()) : "";
    out += fmt::format("- {}{} `{}`: {}\n", place, p["level"].get<std::string>(), p["code"].get<std::string>(),
                       p["message"].get<std::string>());
  }
  return out;
}

/// JSON for a page, with `<` escaped, so that no text in the JSON ends the element around it.
std::string escaped(std::string_view data) {
  std::string out;
  out.reserve(data.size());
  for (const char c : data) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

/// The report of `made`, or of a failure if `made` is null.
std::string written_report(const conversion* made, std::span<const diagnostic> problems, std::string_view text,
                           report_format format, const report_options& o) {
  json r = {{"input", o.name},
            {"converter", "jax2onnx " JAX2ONNX_VERSION_STRING},
            {"format", 1},
            {"result", made ? "converted" : "failed"}};
  if (made) r["model"] = describe(*made, o);
  r["problems"] = json::array();
  for (const diagnostic& d : front_end::spelled(problems, front_end::reader::tool))
    r["problems"].push_back(describe(d, text));
  if (format == report_format::markdown) return jaxpr::escape_lines(markdown(r));
  std::string data = text_of(r);
  data.resize(data.size() - std::string_view("\n}\n").size());
  data += ",\n  \"source\": " + report_source(o.name, text);
  if (made) data += ",\n  \"graph\": " + report_graph(*made);
  data += "\n}\n";
  return format == report_format::html ? page_of(data) : data;
}

}  // namespace

std::string page_of(std::string_view data, std::string_view before) {
  const std::string_view page(reinterpret_cast<const char*>(report_page), report_page_size);
  constexpr std::string_view data_mark = "@jax2onnx-report@", before_mark = "@jax2onnx-before@";
  const std::size_t data_at = page.find(data_mark), before_at = page.find(before_mark);
  const std::size_t between = data_at + data_mark.size();
  std::string out(page.substr(0, data_at));
  out += escaped(data);
  out += page.substr(between, before_at - between);
  out += escaped(before);
  return out.append(page.substr(before_at + before_mark.size()));
}

}  // namespace detail

/// The extension of a file's name in lower case, with its dot; empty if there is none.
static std::string lower_extension(std::string_view file) {
  const std::string_view name = file.substr(file.find_last_of("/\\") + 1);
  std::string extension(name.substr(std::min(name.rfind('.'), name.size())));
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

report_format report_format_of(std::string_view file) {
  const std::string extension = lower_extension(file);
  if (extension == ".json") return report_format::json;
  return extension == ".html" ? report_format::html : report_format::markdown;
}

bool names_report_format(std::string_view file) {
  constexpr std::string_view known[] = {"", ".html", ".json", ".md", ".markdown", ".txt"};
  return std::ranges::find(known, lower_extension(file)) != std::end(known);
}

std::string report(const conversion& made, report_format format, const report_options& o) {
  return detail::written_report(&made, made.warnings, *made.text, format, o);
}

std::string failure_report(std::span<const diagnostic> problems, std::string_view text, report_format format,
                           const report_options& o) {
  return detail::written_report(nullptr, problems, text, format, o);
}

}  // namespace jax2onnx
