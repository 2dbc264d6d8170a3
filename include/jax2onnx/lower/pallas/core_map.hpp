// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/control/open_body.hpp>
#include <jax2onnx/lower/control/unwritten.hpp>
#include <jax2onnx/lower/pallas/grid_scope.hpp>
#include <jax2onnx/lower/pallas/pairs.hpp>
#include <jax2onnx/lower/table.hpp>

/// Lowers core_map and mpmd_map, which run a kernel on every core of a mesh. In the model, one core runs after another.
/// The cores share one memory. Source: jax/_src/pallas/core.py, jax/_src/pallas/mpmd.py.
namespace jax2onnx::lower {
namespace pallas {

/// The names and sizes of the axes of a printed mesh of cores.
using core_axes = std::vector<std::pair<std::string_view, std::int64_t>>;

inline std::string_view without_quotes(std::string_view t) {
  return t.size() > 1 && (t.front() == '\'' || t.front() == '"') ? t.substr(1, t.size() - 2) : t;
}

/// Parses a printed mesh:
/// TensorCoreMesh(devices=array([TensorCore(id=0), …]), axis_names=('core',)), Mesh(grid=(2,), grid_names=('x',), …).
inline core_axes cores_of(const site& s, const jaxpr::value& mesh) {
  core_axes out;
  const auto refuse = [&] { s.unsupported(detail::message("the mesh {} is not supported", mesh.text.substr(0, 60))); };
  if (mesh.callee == "TensorCoreMesh") {
    const jaxpr::value *devices = keyword(mesh, "devices"), *names = keyword(mesh, "axis_names");
    if (!devices || !names || names->items.size() != 1) refuse();
    std::int64_t cores = 0;
    for (std::size_t at = 0; (at = devices->text.find("TensorCore(", at)) != std::string_view::npos; ++at) ++cores;
    out.emplace_back(without_quotes(names->items[0].text), cores);
    return out;
  }
  if (mesh.callee != "Mesh") refuse();
  for (const auto& [sizes_key, names_key] : {std::pair("grid", "grid_names"), std::pair("cluster", "cluster_names")}) {
    const jaxpr::value *sizes = keyword(mesh, sizes_key), *names = keyword(mesh, names_key);
    if (!sizes || !names) continue;
    if (sizes->items.size() != names->items.size()) refuse();
    for (std::size_t i = 0; i < sizes->items.size(); ++i)
      out.emplace_back(without_quotes(names->items[i].text), s.decoder().decode<std::int64_t>(sizes->items[i]));
  }
  if (const jaxpr::value* threads = keyword(mesh, "num_threads");
      threads && threads->tag == jaxpr::value::kind::integer) {
    const jaxpr::value* name = keyword(mesh, "thread_name");
    out.emplace_back(name ? without_quotes(name->text) : std::string_view(), threads->integer);
  }
  return out;
}

/// Runs the kernel on every core with the same operands.
inline void run_on_cores(const site& s, const jaxpr::value& mesh, const jaxpr::body& body, const jax_values& args) {
  constexpr std::int64_t most_cores = 1024;
  const core_axes axes = cores_of(s, mesh);
  std::int64_t cores = 1;
  for (const auto& [name, size] : axes) {
    if (size < 1 || size > most_cores / cores)
      s.unsupported(detail::message("only meshes with 1 to {} cores are supported", most_cores));
    cores *= size;
  }
  for (std::int64_t n = 0; n < cores; ++n) {
    std::vector<grid_axis> grid(axes.size());
    std::int64_t rest = n;
    for (std::size_t k = axes.size(); k-- > 0; rest /= axes[k].second)
      grid[k] = {axes[k].first, scalar(s.g, dtype::i32, rest % axes[k].second),
                 scalar(s.g, dtype::i32, axes[k].second)};
    const grid_scope scope(s.driver(), std::move(grid));
    s.inline_body(body, args);
  }
}

/// mpmd_map inputs…: the kernel's parameters are references to the inputs, the results, and scratch.
inline jax_values mpmd_map(const site& s) {
  const auto bodies = s.param<std::vector<const jaxpr::body*>>("jaxprs");
  const jaxpr::value& meshes = s.tree("meshes");
  if (bodies.size() != 1 || meshes.items.size() != 1)
    s.unsupported("it runs several kernels at the same time", "run one kernel after the other");
  const jaxpr::body& body = opened(s.driver(), *bodies[0]);
  const std::vector<aval> types = s.input_types(body);
  if (types.size() < s.arity() + s.out_count())
    s.malformed("its kernel has fewer parameters than the primitive has operands and results");
  jax_values args;
  for (std::size_t i = 0; i < types.size(); ++i) {
    aval t = types[i];
    t.ref = false;
    const jax_value v = i < s.arity() ? s.in_parts(i) : unwritten(s.g, t);
    args.push_back(types[i].ref && !v.is_ref() ? s.new_ref(v) : v);
  }
  if (const jaxpr::value* aliases = s.find("input_output_aliases"))
    for (const auto& [from, to] : pairs_in(aliases->text)) {
      if (from >= s.arity() || to >= s.out_count())
        s.malformed("its input_output_aliases name operands or results that do not exist");
      args[s.arity() + to] = args[from];
    }
  run_on_cores(s, meshes.items[0], body, args);
  jax_values out;
  for (std::size_t i = 0; i < s.out_count(); ++i) out.push_back(s.content(args[s.arity() + i]));
  return out;
}

/// core_map refs…: the kernel closes over the references.
inline jax_values core_map(const site& s) {
  const jaxpr::body& body = opened(s.driver(), *s.param<const jaxpr::body*>("jaxpr"));
  run_on_cores(s, s.tree("mesh"), body, {s.ins().begin(), s.ins().end()});
  return {};
}

}  // namespace pallas

inline constexpr lowering core_map_rows[] = {
    {"core_map", pallas::core_map, "(inlined)",
     signature{{}, 0, nullptr, {{"jaxpr", param_form::body}, {"mesh", param_form::structure, "axes"}}}, parts_rule::own,
     ignores{"compiler_params cost_estimate debug debug_info interpret metadata name"}},
    {"mpmd_map", pallas::mpmd_map, "(inlined)",
     signature{{},
               {},
               nullptr,
               {{"input_output_aliases", param_form::other},
                {"jaxprs", param_form::bodies},
                {"meshes", param_form::list, "meshes of cores"}}},
     parts_rule::own,
     ignores{"compiler_params cost_estimate debug external_meshes=() interpret metadata name out_avals"}},
};

}  // namespace jax2onnx::lower
