// SPDX-License-Identifier: Apache-2.0
#include "survey.hpp"

#include "json_text.hpp"
#include "summary.hpp"

#include <span>

#include <fmt/format.h>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/compat.hpp>
#include <jaxpr/walk.hpp>

namespace cli {

using jax2onnx::detail::ordered_json;
using jax2onnx::detail::text_of;

namespace {

template <typename Binders>
std::string signature(const Binders& binders) {
  std::string out;
  for (const jaxpr::binder& b : binders)
    out += fmt::format("  {:<10} {}\n", b.name, b.annotation ? b.annotation->text : "?");
  return out;
}

/// The constants of inner jaxprs, which are also weights. As weights, they come after the constants of the main jaxpr.
std::vector<jaxpr::binder> inner_constants(const jaxpr::program& module) {
  std::vector<jaxpr::binder> found;
  jaxpr::for_each_body(module, [&](const jaxpr::body& j) {
    if (&j != module.main) found.insert(found.end(), j.constvars.begin(), j.constvars.end());
  });
  return found;
}

bool lists(const jax2onnx::signature& s, std::string_view key) {
  return std::ranges::any_of(s.parameters, [&](const jax2onnx::param_rule& rule) { return rule.key == key; });
}

/// The parameters that a row ignores and does not list, for a cell of a table.
std::string ignored_cell(const jax2onnx::lowering& row) {
  std::string out;
  for (std::string_view rest = row.ignored.keys; !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
    if (!lists(row.expected, entry.substr(0, entry.find('='))))
      out += fmt::format("{}`{}`", out.empty() ? "" : ", ", entry);
  }
  return out;
}

/// The signature of a row as two cells: the counts and the parameters. A row for complex numbers has the signature of
/// the row that it replaces.
std::string signature_cells(const jax2onnx::lowering& row) {
  const jax2onnx::lowering& replaced = *jax2onnx::find_row(jax2onnx::builtin_lowerings(), row.primitive);
  const std::string all = text(replaced.expected);
  const std::size_t end = std::min(all.find(';'), all.size());
  return fmt::format("{} | {}", all.substr(0, end), end < all.size() ? all.substr(end + 2) : "");
}

std::string markdown_table(std::span<const jax2onnx::lowering> rows) {
  std::string out =
      "| primitive | takes | parameters | ONNX | refuses | ignores |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const jax2onnx::lowering& row : rows)
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.primitive, signature_cells(row), row.onnx,
                       row.restrictions, ignored_cell(row));
  return out;
}

/// A section for each family. The section of complex numbers also has the rows that replace rows of other families.
std::string markdown_sections() {
  std::string out;
  for (const jax2onnx::family& family : jax2onnx::builtin_families()) {
    std::vector<jax2onnx::lowering> rows;
    for (const std::span<const jax2onnx::lowering> table : family.tables)
      rows.insert(rows.end(), table.begin(), table.end());
    std::ranges::sort(rows, {}, &jax2onnx::lowering::primitive);
    out += fmt::format("{}## {}\n\n{}", out.empty() ? "" : "\n", family.name, markdown_table(rows));
    if (family.name == "complex")
      out += "\nOn complex numbers, instead of the rows of other families:\n\n" +
             markdown_table(jax2onnx::complex_lowerings());
  }
  return out;
}

/// `no lowering`, and the primitive with the closest name, if one is close.
std::string without_lowering(std::string_view primitive) {
  const std::string meant = jax2onnx::detail::closest_primitive(primitive);
  return meant.empty() ? "  no lowering" : fmt::format("  no lowering, did you mean '{}'?", meant);
}

ordered_json list_json() {
  ordered_json out = ordered_json::array();
  for (const jax2onnx::lowering& row : jax2onnx::builtin_lowerings())
    out.push_back({{"primitive", row.primitive}, {"onnx", row.onnx}, {"refuses", row.restrictions}});
  return out;
}

template <typename Values>
ordered_json interface_json(const Values& values, auto name) {
  ordered_json out = ordered_json::array();
  for (const auto& v : values) out.push_back({{"name", name(v)}, {"type", v.annotation ? v.annotation->text : "?"}});
  return out;
}

}  // namespace

bool has_lowering(std::string_view primitive) {
  return jax2onnx::find_row(jax2onnx::builtin_lowerings(), jax2onnx::compat::primitive(primitive)) != nullptr;
}

std::string list_primitives(std::string_view format) {
  if (format == "markdown") return markdown_sections();
  if (format == "json") return text_of(list_json());
  std::string out;
  for (const jax2onnx::lowering& row : jax2onnx::builtin_lowerings()) {
    out += fmt::format("{:<32} {}", row.primitive, row.onnx);
    if (!row.restrictions.empty()) out += fmt::format(" (not: {})", row.restrictions);
    out += '\n';
  }
  return out;
}

std::string inspection(const jaxpr::program& module, const std::string& name) {
  const auto counts = count_primitives(module);
  std::size_t equations = 0;
  for (const auto& [primitive, count] : counts) equations += count;
  std::string out =
      fmt::format("{}: {}, {}\n", name, counted(equations, "equation"), counted(counts.size(), "primitive"));
  out += fmt::format("inputs ({})\n{}", module.main->invars.size(), signature(module.main->invars));
  out += fmt::format("closed-over arrays ({})\n{}", module.main->constvars.size(), signature(module.main->constvars));
  if (const auto inner = inner_constants(module); !inner.empty())
    out += fmt::format("closed-over arrays of inner jaxprs ({})\n{}", inner.size(), signature(inner));
  out += fmt::format("outputs ({})\n", module.main->results.size());
  for (const jaxpr::atom& a : module.main->results)
    out += fmt::format("  {:<10} {}\n", a.text, a.annotation ? a.annotation->text : "?");
  out += "primitives\n";
  for (const auto& [primitive, count] : counts)
    out +=
        fmt::format("  {:<32} {:>6}{}\n", primitive, count, has_lowering(primitive) ? "" : without_lowering(primitive));
  return out;
}

std::string inspection_json(const jaxpr::program& module, const std::string& name) {
  const auto bound = [](const jaxpr::binder& b) { return b.name; };
  ordered_json primitives = ordered_json::array();
  for (const auto& [primitive, count] : count_primitives(module))
    primitives.push_back({{"primitive", primitive}, {"count", count}, {"supported", has_lowering(primitive)}});
  return text_of({{"input", name},
                  {"inputs", interface_json(module.main->invars, bound)},
                  {"closed_over", interface_json(module.main->constvars, bound)},
                  {"closed_over_inside", interface_json(inner_constants(module), bound)},
                  {"outputs", interface_json(module.main->results, [](const jaxpr::atom& a) { return a.text; })},
                  {"primitives", std::move(primitives)}});
}

}  // namespace cli
