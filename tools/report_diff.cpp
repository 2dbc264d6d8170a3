// SPDX-License-Identifier: Apache-2.0
#include "report_diff.hpp"

#include "report_page.hpp"
#include "text_file.hpp"

#include <cstdint>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <jax2onnx/support/file_error.hpp>

namespace cli {
namespace {

using tree = nlohmann::json;
/// Facts from a report about one kind of things, such as nodes or weights, by the name of each thing.
using facts = std::map<std::string, std::string>;

constexpr std::size_t longest_report = 4'000'000'000;  // bytes
constexpr std::size_t most_rows = 200;

std::string plain(const tree& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

facts totals(const tree& report) {
  facts out = {{"converter", plain(report.at("converter"))}, {"result", plain(report.at("result"))}};
  out["problems"] = std::to_string(report.at("problems").size());
  if (!report.contains("model")) return out;
  const tree& m = report.at("model");
  for (const char* key : {"opset", "ir_version", "equations", "nodes"}) out[key] = plain(m.at(key));
  out["bytes of the model"] = plain(m.at("bytes").at("model"));
  out["bytes of weights"] = plain(m.at("weights").at("bytes"));
  double flops = 0;
  for (const tree& n : report.at("graph").at("nodes")) flops += n.value("flops", 0.0);
  out["FLOPs"] = fmt::format("{}", flops);
  return out;
}

facts problems(const tree& report) {
  facts out;
  for (const tree& p : report.at("problems")) out[plain(p.at("message"))] = plain(p.at("code"));
  return out;
}

facts types_of(const tree& report, const char* side) {
  facts out;
  if (!report.contains("model")) return out;
  for (const tree& v : report.at("model").at(side)) out[plain(v.at("name"))] = plain(v.at("type"));
  return out;
}
facts inputs(const tree& report) { return types_of(report, "inputs"); }
facts outputs(const tree& report) { return types_of(report, "outputs"); }

facts operators(const tree& report) {
  facts out;
  if (!report.contains("model") || !report.at("model").contains("operators")) return out;
  for (const auto& [op, count] : report.at("model").at("operators").items()) out[op] = plain(count);
  return out;
}

facts rules(const tree& report) {
  facts out;
  if (report.contains("graph"))
    for (const tree& r : report.at("graph").at("rules")) out[plain(r.at("rule"))] = plain(r.at("applied"));
  return out;
}

/// The type of the value with this number, such as `f32[3,4]`.
std::string type_of(const tree& graph, const tree& value) {
  return plain(graph.at("types").at(graph.at("values").at(value.get<std::size_t>()).at("type").get<std::size_t>()));
}

/// The type of each weight, and its elements or their range and mean, so that most changes of elements show.
facts weights(const tree& report) {
  facts out;
  if (!report.contains("graph")) return out;
  const tree& graph = report.at("graph");
  for (const tree& w : graph.at("weights")) {
    const tree& value = w.at("value");
    std::string text = type_of(graph, value);
    if (w.contains("content")) text += " " + w["content"].dump();
    else if (w.contains("least"))
      text += fmt::format(" from {} to {}, mean {}", w["least"].dump(), w.value("greatest", tree()).dump(),
                          w.value("mean", tree()).dump());
    out[plain(graph.at("values").at(value.get<std::size_t>()).at("name"))] = std::move(text);
  }
  return out;
}

/// The operator and result types of each node, such as `MatMul -> f32[2,4]`.
facts nodes(const tree& report) {
  facts out;
  if (!report.contains("graph")) return out;
  const tree& graph = report.at("graph");
  for (const tree& n : graph.at("nodes")) {
    std::string text = plain(n.at("op")) + " ->";
    for (const tree& v : n.at("outputs")) text += v.is_null() ? " -" : " " + type_of(graph, v);
    out[plain(n.at("name"))] = std::move(text);
  }
  return out;
}

/// A table of the differences; empty if there is none.
std::string section(std::string_view title, const facts& before, const facts& after) {
  std::string out;
  std::size_t rows = 0;
  const auto row = [&](const std::string& name, const std::string& from, const std::string& to) {
    if (++rows <= most_rows) out += fmt::format("| `{}` | {} | {} |\n", name, from, to);
  };
  for (const auto& [name, from] : before) {
    const auto to = after.find(name);
    if (to == after.end()) row(name, from, "");
    else if (to->second != from) row(name, from, to->second);
  }
  for (const auto& [name, to] : after)
    if (!before.contains(name)) row(name, "", to);
  if (rows == 0) return out;
  out = fmt::format("\n## {}\n\n| name | before | after |\n| --- | --- | --- |\n{}", title, out);
  return rows > most_rows ? out + fmt::format("\n{} more.\n", rows - most_rows) : out;
}

jax2onnx::file_error not_a_report(const std::string& file) {
  return {jax2onnx::failure::malformed, fmt::format("{}: is not a JSON report", file), "--report=FILE.json writes one"};
}

tree parsed(const std::string& text, const std::string& file) {
  tree report = tree::parse(text, nullptr, false);
  if (!report.is_object() || !report.contains("format") || plain(report["format"]) != "1") throw not_a_report(file);
  return report;
}

tree read(const std::string& file) { return parsed(read_text(file, longest_report), file); }

/// The text of a report. Throws file_error if the report has no graph.
std::string text_with_graph(const std::string& file) {
  std::string text = read_text(file, longest_report);
  if (!parsed(text, file).contains("graph"))
    throw jax2onnx::file_error(jax2onnx::failure::malformed,
                               fmt::format("{}: is the report of a failed conversion", file),
                               "give the reports of two conversions that succeeded");
  return text;
}

struct aspect {
  std::string_view title;
  facts (*of)(const tree&);
};
constexpr aspect aspects[] = {{"Totals", totals},   {"Problems", problems},   {"Inputs", inputs},
                              {"Outputs", outputs}, {"Operators", operators}, {"Rules, how often they applied", rules},
                              {"Weights", weights}, {"Nodes", nodes}};

/// The facts of one aspect of a report. Throws file_error if keys are missing: other programs may have written the
/// file.
facts facts_of(const aspect& a, const tree& report, const std::string& file) {
  try {
    return a.of(report);
  } catch (const tree::exception&) {
    throw not_a_report(file);
  }
}

}  // namespace

std::string report_diff(const std::string& before, const std::string& after) {
  const tree a = read(before), b = read(after);
  std::string out;
  for (const aspect& each : aspects) out += section(each.title, facts_of(each, a, before), facts_of(each, b, after));
  return fmt::format("# {} and {}\n{}", before, after, out.empty() ? "\nNothing differs.\n" : out);
}

std::string report_diff_page(const std::string& before, const std::string& after) {
  return jax2onnx::detail::page_of(text_with_graph(after), text_with_graph(before));
}

}  // namespace cli
