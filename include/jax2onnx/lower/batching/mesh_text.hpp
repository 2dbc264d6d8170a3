// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>
#include <jaxpr/ast.hpp>

/// Parses the text that shard_map prints for meshes and for the division of arrays among devices. Source:
/// jax/_src/mesh.py, jax/_src/partition_spec.py.
namespace jax2onnx::lower::batching {

/// The names and sizes of the axes of a mesh.
using mesh_axes = std::vector<std::pair<std::string_view, std::int64_t>>;

/// The maximum number of devices of a mesh.
inline constexpr std::int64_t most_devices = 1 << 16;
/// The number of devices of a mesh. Throws limit_error if the mesh has more than most_devices.
inline std::int64_t devices_of(std::span<const mesh_axes::value_type> mesh) {
  std::int64_t n = 1;
  for (const auto& [name, size] : mesh)
    if (n *= size; n > most_devices) throw limit_error(detail::message("a mesh has over {} devices", most_devices));
  return n;
}

/// The names and sizes of a printed mesh: Mesh('x': 2, 'y': 4, …), or Mesh(device_ids=array([[0, 1], [2, 3]]),
/// axis_names=('x', 'y')).
inline mesh_axes axes_of_mesh(std::string_view mesh) {
  mesh_axes out;
  const auto quoted_at = [&](std::size_t open) { return mesh.substr(open + 1, mesh.find('\'', open + 1) - open - 1); };
  const std::size_t names = mesh.find("axis_names=(");
  if (names == mesh.npos) {
    for (std::size_t open = mesh.find('\''); open != mesh.npos; open = mesh.find('\'', open)) {
      const std::string_view name = quoted_at(open);
      open += name.size() + 2;
      if (open + 2 >= mesh.size() || mesh[open] != ':') continue;
      std::int64_t size = 0;
      std::from_chars(mesh.data() + open + 2, mesh.data() + mesh.size(), size);
      if (size > 0 && size <= most_devices) out.emplace_back(name, size);
    }
    return out;
  }
  for (std::size_t open = mesh.find('\'', names), end = mesh.find(')', names); open < end;) {
    const std::string_view name = quoted_at(open);
    out.emplace_back(name, 1);
    open = mesh.find('\'', open + name.size() + 2);
  }
  // The extents of the nested list: the number of elements of the first list at each depth.
  std::size_t depth = 0;
  std::vector<bool> closed(out.size() + 1);
  for (std::size_t i = mesh.find('['); i < names; ++i) {
    if (mesh[i] == '[') ++depth;
    if (mesh[i] == ',' && depth > 0 && depth <= out.size() && !closed[depth]) ++out[depth - 1].second;
    if (mesh[i] == ']' && depth > 0) {
      if (depth < closed.size()) closed[depth] = true;
      --depth;
    }
  }
  return out;
}

/// The printed name of an axis without its quotes.
inline std::string_view unquoted(std::string_view name) {
  return name.size() > 1 && name.front() == '\'' && name.back() == '\'' ? name.substr(1, name.size() - 2) : name;
}

/// For each axis of an array, the names of the mesh axes that divide it, slowest first: P(None, ('x', 'y')), or in
/// older versions {1: ('x', 'y')}. Axes after the last divided one may be missing.
inline std::vector<std::vector<std::string_view>> names_of_specification(const jaxpr::value& spec) {
  using kind = jaxpr::value::kind;
  std::vector<std::vector<std::string_view>> out;
  const auto add = [&](std::size_t axis, std::string_view name) {
    if (out.size() <= axis) out.resize(axis + 1);
    out[axis].push_back(unquoted(name));
  };
  if (spec.tag == kind::call) {
    for (std::size_t d = 0; d < spec.items.size(); ++d) {
      const jaxpr::value& part = spec.items[d];
      if (part.tag == kind::tuple || part.tag == kind::sequence)
        for (const jaxpr::value& name : part.items) add(d, name.text);
      else if (part.tag == kind::string) add(d, part.text);
    }
    return out;
  }
  constexpr std::size_t most_axes = 256;
  std::size_t axis = 0;
  for (std::size_t i = 0; i < spec.text.size(); ++i) {
    if (spec.text[i] == '\'') {
      const std::size_t end = std::min(spec.text.find('\'', i + 1), spec.text.size() - 1);
      add(std::min(axis, most_axes), spec.text.substr(i, end - i + 1));
      i = end;
    } else if (spec.text[i] >= '0' && spec.text[i] <= '9') {
      std::from_chars(spec.text.data() + i, spec.text.data() + spec.text.size(), axis);
      while (i + 1 < spec.text.size() && spec.text[i + 1] >= '0' && spec.text[i + 1] <= '9') ++i;
    }
  }
  return out;
}

/// For each axis of an array, the names of the mesh axes that divide it, as the array's type states them if the mesh is
/// explicit: f32[8@x,4], f32[8@(x,y)]. Empty for a type without such names.
inline std::vector<std::vector<std::string_view>> names_of_type(std::string_view type) {
  std::vector<std::vector<std::string_view>> out;
  if (type.find('@') == type.npos) return out;
  std::size_t axis = 0, depth = 0;
  for (std::size_t i = type.find('['); i < type.size() && type[i] != ']'; ++i) {
    if (type[i] == '(') ++depth;
    if (type[i] == ')') --depth;
    if (type[i] == ',' && depth == 0) ++axis;
    const bool starts = type[i] == '@' || type[i] == '(' || (type[i] == ',' && depth > 0);
    const std::size_t end = std::min(type.find_first_of(",()]", i + 1), type.size());
    if (!starts || end == i + 1) continue;
    out.resize(axis + 1);
    out[axis].push_back(type.substr(i + 1, end - i - 1));
  }
  return out;
}

/// The first mesh of several devices that a text prints; empty if there is none.
inline mesh_axes first_mesh(std::string_view text) {
  for (std::size_t at = text.find("Mesh("); at != text.npos; at = text.find("Mesh(", at + 1)) {
    mesh_axes axes = axes_of_mesh(text.substr(at, text.find(')', at) - at));
    for (const auto& [name, size] : axes)
      if (size > 1) return axes;
  }
  return {};
}

/// The `n` specifications of the operands or results of a shard_map; `e` is an equation_view or a site. Refuses the
/// equation if the number is not `n`.
template <class Equation>
std::vector<jaxpr::value> specifications(const Equation& e, std::string_view newer, std::string_view older,
                                         std::size_t n) {
  const jaxpr::value* v = e.find(newer);
  if (!v) v = e.find(older);
  if (!v) e.unsupported(detail::message("it lacks its parameter '{}'", newer));
  std::vector<jaxpr::value> out(v->items.begin(), v->items.end());
  if (v->items.empty()) {  // the parser keeps a list such as ({0: ('x',)}, {}) as text
    for (std::size_t open = v->text.find('{'); open != v->text.npos; open = v->text.find('{', open + 1)) {
      jaxpr::value& part = out.emplace_back();
      part.text = v->text.substr(open, v->text.find('}', open) - open + 1);
    }
  }
  if (out.size() != n)
    e.unsupported(detail::message("its {} has {} entr{y|ies} for {} array{|s}", newer, out.size(), n));
  return out;
}

}  // namespace jax2onnx::lower::batching
