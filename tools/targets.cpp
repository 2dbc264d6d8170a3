#include "targets.hpp"

#include <string_view>

#include <fmt/format.h>

#include <jax2onnx/rewrite/engine/obstacles.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jaxpr/jaxpr.hpp>

namespace cli {
namespace {

using jax2onnx::obstacle;
using jax2onnx::runtime;

/// A model for one target, and what keeps a runtime from running it.
struct attempt {
  conversion_run run;
  std::vector<obstacle> obstacles;
};
attempt converted(const shared_text& text, arguments args, std::string target, runtime r) {
  args.dry_run = true;
  args.target = std::move(target);
  progress_line progress(args);
  attempt a{convert_text(text, args, progress), {}};
  a.obstacles = jax2onnx::obstacles(a.run.model, r);
  return a;
}

/// What is known of a runtime.
struct verdict {
  runtime of;
  std::string target;  ///< of the model that it runs; empty if it runs none
  attempt last;        ///< the model for the runtime's own target, unless the default one runs
};
std::vector<verdict> verdicts(const shared_text& text, const arguments& args) {
  std::vector<verdict> all;
  for (const runtime r : jax2onnx::other_runtimes) {
    const std::string own(name_of(r));
    verdict v{r, args.target, converted(text, args, args.target, r)};
    if (!v.last.obstacles.empty()) v = {r, own, converted(text, args, own, r)};
    if (!v.last.obstacles.empty()) v.target.clear();
    all.push_back(std::move(v));
  }
  return all;
}

std::size_t line_of(const conversion_run& run, const obstacle& o) {
  const jax2onnx::origin& from = run.model.origins()[run.model.at(o.first).origin];
  return from.end == 0 ? 0 : static_cast<std::size_t>(jaxpr::locate(*run.text, from.begin).line);
}

std::string described(const conversion_run& run, const obstacle& o) {
  const std::size_t line = line_of(run, o);
  std::string out = fmt::format("{} ({} {}{})", o.why, o.nodes, o.nodes == 1 ? "node" : "nodes",
                                line ? fmt::format(", line {}", line) : "");
  return o.help.empty() ? out : fmt::format("{}; {}", out, o.help);
}

}  // namespace

ordered_json obstacles_json(const conversion_run& run, runtime r) {
  ordered_json out = ordered_json::array();
  for (const obstacle& o : jax2onnx::obstacles(run.model, r)) {
    ordered_json entry = {{"operator", o.op}, {"why", o.why}, {"nodes", o.nodes}};
    if (const std::size_t line = line_of(run, o)) entry["line"] = line;
    if (!o.help.empty()) entry["help"] = o.help;
    out.push_back(std::move(entry));
  }
  return out;
}

std::string targets(const shared_text& text, const arguments& args) {
  std::string out = fmt::format("{:<10}runs\n", "ort");
  for (const verdict& v : verdicts(text, args)) {
    const std::string_view name = name_of(v.of);
    if (v.target == args.target) out += fmt::format("{:<10}runs\n", name);
    else if (!v.target.empty()) out += fmt::format("{:<10}runs with --target {}\n", name, v.target);
    for (const obstacle& o : v.last.obstacles)
      out += fmt::format("{:<10}{}\n", &o == v.last.obstacles.data() ? name : "", described(v.last.run, o));
  }
  return out;
}

std::string targets_json(const shared_text& text, const arguments& args) {
  ordered_json out;
  out["ort"] = {{"target", args.target}, {"obstacles", ordered_json::array()}};
  for (const verdict& v : verdicts(text, args))
    out[std::string(name_of(v.of))] = {{"target", v.target.empty() ? ordered_json() : ordered_json(v.target)},
                                       {"obstacles", obstacles_json(v.last.run, v.of)}};
  return text_of(out);
}

}  // namespace cli
