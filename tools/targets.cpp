// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/targets/obstacles.hpp>
#include <jaxpr/jaxpr.hpp>

namespace cli {
namespace {

using jax2onnx::obstacle;
using jax2onnx::runtime;

conversion_run converted(const shared_text& text, arguments args, std::string_view target) {
  args.dry_run = true;
  args.given.conversion.rewrites.target = *jax2onnx::target_named(target);
  progress_line progress(args);
  return convert_text(text, args, progress);
}

/// The verdict on one runtime.
struct verdict {
  runtime of;
  std::string target;  ///< of the model that it runs; empty if it runs none
  ordered_json obstacles;
};
/// The model of the asked target is tried in all runtimes, then those of their own targets.
std::vector<verdict> verdicts(const shared_text& text, const arguments& args) {
  const conversion_run asked = converted(text, args, args.target);
  std::vector<verdict> all;
  for (const runtime r : jax2onnx::other_runtimes) {
    verdict v{r, args.target, obstacles_json(asked, r)};
    if (const std::string own(name_of(r)); !v.obstacles.empty() && own != args.target)
      v = {r, own, obstacles_json(converted(text, args, own), r)};
    if (!v.obstacles.empty()) v.target.clear();
    all.push_back(std::move(v));
  }
  return all;
}

std::size_t line_of(const conversion_run& run, const obstacle& o) {
  const jax2onnx::origin& from = run.made.model.origins()[run.made.model.at(o.first).origin];
  return from.end == 0 ? 0 : static_cast<std::size_t>(jaxpr::locate(*run.made.text, from.begin).line);
}

std::string described(const ordered_json& obstacle) {
  const auto nodes = obstacle["nodes"].get<std::size_t>();
  std::string out =
      fmt::format("{} ({} {}{})", obstacle["why"].get<std::string>(), nodes, nodes == 1 ? "node" : "nodes",
                  obstacle.contains("line") ? fmt::format(", line {}", obstacle["line"].get<int>()) : "");
  return obstacle.contains("help") ? fmt::format("{}; {}", out, obstacle["help"].get<std::string>()) : out;
}

/// A line for each obstacle; the first one follows the name of the runtime.
std::string obstacle_lines(std::string_view name, const ordered_json& obstacles, std::string_view indent = "") {
  std::string out;
  for (const ordered_json& o : obstacles)
    out += fmt::format("{}{:<10}{}\n", indent, std::exchange(name, ""), described(o));
  return out;
}

}  // namespace

ordered_json obstacles_json(const conversion_run& run, runtime r) {
  ordered_json out = ordered_json::array();
  for (const obstacle& o : jax2onnx::obstacles(run.made.model, r)) {
    ordered_json entry = {{"operator", o.op}, {"why", o.why}, {"nodes", o.nodes}};
    if (const std::size_t line = line_of(run, o)) entry["line"] = line;
    if (!o.help.empty()) entry["help"] = spelled(o.help, jax2onnx::front_end::reader::tool);
    out.push_back(std::move(entry));
  }
  return out;
}

ordered_json runs_in_json(const conversion_run& run) {
  ordered_json out;
  for (const runtime r : jax2onnx::other_runtimes) out[std::string(name_of(r))] = obstacles_json(run, r);
  return out;
}

std::string runtimes_table(const ordered_json& runs_in) {
  std::string out;
  for (const auto& [name, obstacles] : runs_in.items())
    out += obstacles.empty() ? fmt::format("  {:<10}runs\n", name) : obstacle_lines(name, obstacles, "  ");
  return out;
}

std::string targets(const shared_text& text, const arguments& args) {
  std::string out = fmt::format("{:<10}runs\n", "ort");
  for (const verdict& v : verdicts(text, args)) {
    const std::string_view name = name_of(v.of);
    if (v.target == args.target) out += fmt::format("{:<10}runs\n", name);
    else if (!v.target.empty()) out += fmt::format("{:<10}runs with --target {}\n", name, v.target);
    out += obstacle_lines(name, v.obstacles);
  }
  return out;
}

std::string targets_json(const shared_text& text, const arguments& args) {
  ordered_json out;
  out["ort"] = {{"target", args.target}, {"obstacles", ordered_json::array()}};
  for (const verdict& v : verdicts(text, args))
    out[std::string(name_of(v.of))] = {{"target", v.target.empty() ? ordered_json() : ordered_json(v.target)},
                                       {"obstacles", v.obstacles}};
  return text_of(out);
}

}  // namespace cli
