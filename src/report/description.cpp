// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include <jax2onnx/convert/option_table.hpp>
#include <jax2onnx/rewrite/targets/obstacles.hpp>
#include <jaxpr/render.hpp>

namespace jax2onnx::detail {

static std::size_t line_of(const conversion& made, const obstacle& o) {
  const origin& from = made.model.origins()[made.model.at(o.first).origin];
  return from.end == 0 ? 0 : static_cast<std::size_t>(jaxpr::locate(*made.text, from.begin).line);
}

std::vector<std::pair<std::string, std::string>> interface_of(const graph& g, const std::vector<value_id>& values) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const value_id v : values) out.emplace_back(g.at(v).name, text(g, g.at(v).type));
  return out;
}

ordered_json interface_json(const graph& g, const std::vector<value_id>& values) {
  ordered_json out = ordered_json::array();
  for (const auto& [name, type] : interface_of(g, values)) out.push_back({{"name", name}, {"type", type}});
  return out;
}

std::vector<std::pair<std::string, std::size_t>> operator_counts(const graph& g) {
  std::map<std::string_view, std::size_t> counts;
  for (std::size_t b = 0; b < g.block_count(); ++b)
    for (const node_id n : g.at(static_cast<block_id>(b)).nodes) ++counts[g.at(n).op];
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), &std::pair<std::string, std::size_t>::second);
  return sorted;
}

ordered_json obstacles_json(const conversion& made, runtime r) {
  ordered_json out = ordered_json::array();
  for (const obstacle& o : obstacles(made.model, r)) {
    ordered_json entry = {{"operator", o.op}, {"why", o.why}, {"nodes", o.nodes}};
    if (const std::size_t line = line_of(made, o)) entry["line"] = line;
    if (!o.help.empty()) entry["help"] = front_end::spelled(o.help, front_end::reader::tool);
    out.push_back(std::move(entry));
  }
  return out;
}

ordered_json runs_in_json(const conversion& made) {
  ordered_json out;
  for (const runtime r : other_runtimes) out[std::string(name_of(r))] = obstacles_json(made, r);
  return out;
}

std::string readable_size(std::uint64_t bytes) {
  constexpr const char* units[] = {"bytes", "KB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit) value /= 1000;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace jax2onnx::detail
