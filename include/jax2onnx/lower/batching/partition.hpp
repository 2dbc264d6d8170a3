#pragma once

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/batching/collective_rules.hpp>
#include <jax2onnx/lower/batching/control_rules.hpp>

/// shard_map and pmap: arrays are divided among devices, and joined. Source: jax/_src/shard_map.py, jax/_src/pmap.py.
namespace jax2onnx::lower::batching {

/// The names and sizes of a printed mesh: Mesh('x': 2, 'y': 4, …), or Mesh(device_ids=array([[0, 1], [2, 3]]),
/// axis_names=('x', 'y')).
inline constexpr std::int64_t most_devices = 1 << 16;  // along one axis
inline std::vector<std::pair<std::string_view, std::int64_t>> axes_of_mesh(std::string_view mesh) {
  std::vector<std::pair<std::string_view, std::int64_t>> out;
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
  // The extents of the nested list: how many elements the first list of each depth has.
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

/// For each axis of an array, the named axes that divide it, the slowest first.
using division = std::vector<std::vector<std::size_t>>;

/// P(None, ('x', 'y')), or in texts of older versions {1: ('x', 'y')}.
inline division division_of(equation_view& e, const jaxpr::value& spec, std::size_t rank) {
  using kind = jaxpr::value::kind;
  division out(rank);
  const auto add = [&](std::size_t axis, std::string_view name) {
    name = unquoted(name);
    if (axis >= rank) e.unsupported("a specification has more axes than its array");
    if (const auto known = e.axes().find(name)) out[axis].push_back(*known);
    else if (!e.axes().is_trivial(name))
      e.unsupported(detail::message("a specification names '{}', which is no axis of the mesh", name));
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
  std::size_t axis = 0;
  for (std::size_t i = 0; i < spec.text.size(); ++i) {
    if (spec.text[i] == '\'') {
      const std::size_t end = std::min(spec.text.find('\'', i + 1), spec.text.size() - 1);
      add(axis, spec.text.substr(i, end - i + 1));
      i = end;
    } else if (spec.text[i] >= '0' && spec.text[i] <= '9') {
      std::from_chars(spec.text.data() + i, spec.text.data() + spec.text.size(), axis);
      while (i + 1 < spec.text.size() && spec.text[i + 1] >= '0' && spec.text[i + 1] <= '9') ++i;
    }
  }
  return out;
}

inline axis_set set_of(const division& by) {
  axis_set s = 0;
  for (const auto& names : by) s |= set_of(names);
  return s;
}

/// What each device gets of an array: parts of the extents `local`.
inline varying distributed(equation_view& e, varying v, const division& by, const shape& local) {
  std::int64_t at = 0;
  std::vector<std::pair<std::int64_t, const std::vector<std::size_t>*>> places;
  for (std::size_t d = 0; d < by.size(); ++d) {
    v = divided(e, v, by[d], at, local[d]);
    places.emplace_back(at, &by[d]);
    at += std::ssize(by[d]) + 1;
  }
  std::int64_t gone = 0;
  for (const auto& [place, names] : places) {
    if (!names->empty()) v = to_leading(e, v, *names, place - gone);
    gone += std::ssize(*names);
  }
  return v;
}

/// The array that the parts of all devices make. Along axes of `mapped` that do not divide it, all devices have the
/// same, or the first one counts.
inline varying joined(equation_view& e, varying v, const division& by, axis_set mapped, const shape& whole) {
  const axis_set dividing = set_of(by);
  for (std::size_t i : named_axes::list(v.along & mapped & ~dividing)) v = e.of_device(v, i, 0);
  v = e.full(v, v.along | dividing);
  std::int64_t at = 0;
  for (const auto& names : by) {
    if (!names.empty()) v = to_local(e, v, names, at);
    at += std::ssize(names) + 1;
  }
  return e.reshape(v, v.along, whole);
}

/// The specifications of operands or results, one for each.
inline std::vector<jaxpr::value> specifications(equation_view& e, std::string_view newer, std::string_view older,
                                                std::size_t n) {
  const jaxpr::value* v = e.find(newer);
  if (!v) v = e.find(older);
  if (!v) e.unsupported(detail::message("it lacks its parameter '{}'", newer));
  std::vector<jaxpr::value> out(v->items.begin(), v->items.end());
  if (v->items.empty()) {  // ({0: ('x',)}, {}) is free text to the parser
    for (std::size_t open = v->text.find('{'); open != v->text.npos; open = v->text.find('{', open + 1)) {
      jaxpr::value& part = out.emplace_back();
      part.text = v->text.substr(open, v->text.find('}', open) - open + 1);
    }
  }
  if (out.size() != n) e.unsupported(detail::message("its {} are {} for {} arrays", newer, out.size(), n));
  return out;
}

inline varyings shard_map(equation_view& e) {
  const auto& body = *e.param<const jaxpr::body*>("jaxpr");
  axis_set mapped = 0;
  for (const auto& [name, size] : axes_of_mesh(e.param<std::string_view>("mesh")))
    if (const auto i = e.axes().add(name, size); i && !has(e.along(), *i)) mapped |= axis_set{1} << *i;
  if (body.invars.size() != e.operands().size() || body.results.size() != e.equation().outs.size())
    e.unsupported("its jaxpr does not fit its operands");
  varyings args;
  const auto in = specifications(e, "in_specs", "in_names", e.operands().size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const aval local = e.driver().type_of(body.invars[i].annotation);
    args.push_back(distributed(e, e.operands()[i], division_of(e, in[i], local.dims.size()), local.dims));
  }
  varyings out = call_body(e, body, args);
  const auto specs = specifications(e, "out_specs", "out_names", out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const shape whole = e.out_type(i).dims;
    out[i] = joined(e, out[i], division_of(e, specs[i], whole.size()), mapped, whole);
  }
  return out;
}

/// pmap: operands and results have an axis of the devices, or are the same for all (None).
inline varyings pmap(equation_view& e) {
  const auto& body = *e.param<const jaxpr::body*>("call_jaxpr");
  const auto name = unquoted(e.param<std::string_view>("axis_name"));
  const auto size = e.param<std::int64_t>("axis_size");
  if (size < 1 || size > most_devices) e.unsupported(detail::message("its axis has {} devices", size));
  const auto axis = e.axes().add(name, size);
  const std::vector<std::size_t> names = axis ? std::vector{*axis} : std::vector<std::size_t>{};
  const auto place = [](const jaxpr::value& v) {
    return v.tag == jaxpr::value::kind::integer ? std::optional(v.integer) : std::nullopt;
  };
  const jaxpr::value *inputs = e.find("in_axes"), *outputs = e.find("out_axes");
  if (!inputs || !outputs) e.unsupported("it lacks its parameters 'in_axes' and 'out_axes'");
  const auto in = inputs->items, to = outputs->items;
  if (in.size() != e.operands().size() || to.size() != e.equation().outs.size() || body.invars.size() != in.size() ||
      body.results.size() != to.size())
    e.unsupported("its axes do not fit its operands");
  varyings args;
  for (std::size_t i = 0; i < in.size(); ++i) {
    varying v = e.operands()[i];
    if (const auto at = place(in[i])) {
      v = axis ? to_leading(e, v, names, *at) : v;
      v = e.reshape(v, v.along, e.driver().type_of(body.invars[i].annotation).dims);
    }
    args.push_back(v);
  }
  varyings out = call_body(e, body, args);
  for (std::size_t i = 0; i < out.size(); ++i) {
    varying& v = out[i];
    const auto at = place(to[i]);
    if (axis && !at) v = e.of_device(v, *axis, 0);
    if (axis && at) v = to_local(e, e.full(v, v.along | axis_set{1} << *axis), names, *at);
    v = e.reshape(v, v.along, e.out_type(i).dims);
  }
  return out;
}

}  // namespace jax2onnx::lower::batching
