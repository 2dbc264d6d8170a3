// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

#include "description.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/rewrite/engine/target.hpp>

namespace cli {
namespace {

using jax2onnx::runtime;
using jax2onnx::detail::obstacles_json;
using jax2onnx::detail::ordered_json;
using jax2onnx::detail::text_of;

conversion_run converted(const shared_text& text, arguments args, std::string_view target) {
  args.dry_run = true;
  args.given.conversion.rewrites.target = *jax2onnx::target_named(target);
  progress_line progress(args);
  return convert_text(text, args, progress);
}

/// The verdict on one runtime.
struct verdict {
  runtime of;
  std::string target;  ///< the target of the model that the runtime runs; empty if it runs none of the models tried
  ordered_json obstacles;
};
/// Tries the model of the requested target in all runtimes. If a runtime does not run this model, tries the model of
/// the runtime's own target.
std::vector<verdict> verdicts(const shared_text& text, const arguments& args) {
  const conversion_run asked = converted(text, args, args.target);
  std::vector<verdict> all;
  for (const runtime r : jax2onnx::other_runtimes) {
    verdict v{r, args.target, obstacles_json(asked.made, r)};
    if (const std::string own(name_of(r)); !v.obstacles.empty() && own != args.target)
      v = {r, own, obstacles_json(converted(text, args, own).made, r)};
    if (!v.obstacles.empty()) v.target.clear();
    all.push_back(std::move(v));
  }
  return all;
}

std::string described(const ordered_json& obstacle) {
  const auto nodes = obstacle["nodes"].get<std::size_t>();
  std::string out =
      fmt::format("{} ({} {}{})", obstacle["why"].get<std::string>(), nodes, nodes == 1 ? "node" : "nodes",
                  obstacle.contains("line") ? fmt::format(", line {}", obstacle["line"].get<int>()) : "");
  return obstacle.contains("help") ? fmt::format("{}; {}", out, obstacle["help"].get<std::string>()) : out;
}

/// A line for each obstacle. The first line begins with the name of the runtime.
std::string obstacle_lines(std::string_view name, const ordered_json& obstacles, std::string_view indent = "") {
  std::string out;
  for (const ordered_json& o : obstacles)
    out += fmt::format("{}{:<10}{}\n", indent, std::exchange(name, ""), described(o));
  return out;
}

}  // namespace

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
