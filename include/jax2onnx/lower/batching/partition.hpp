// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/batching/collective_rules.hpp>
#include <jax2onnx/lower/batching/control_rules.hpp>
#include <jax2onnx/lower/batching/mesh_text.hpp>

/// shard_map and pmap: arrays are divided among devices, and joined again. Source: jax/_src/shard_map.py,
/// jax/_src/pmap.py.
namespace jax2onnx::lower::batching {

/// For each axis of an array, the named axes that divide it, slowest first.
using division = std::vector<std::vector<std::size_t>>;

inline division division_of(equation_view& e, const jaxpr::value& spec, std::size_t rank) {
  division out(rank);
  const auto names = names_of_specification(spec);
  if (names.size() > rank) e.unsupported("a specification has more axes than its array");
  for (std::size_t d = 0; d < names.size(); ++d)
    for (const std::string_view name : names[d])
      if (const auto known = e.axes().find(name)) out[d].push_back(*known);
      else if (!e.axes().is_trivial(name))
        e.unsupported(detail::message("a specification names '{}', which is not an axis of the mesh", name));
  return out;
}

inline axis_set set_of(const division& by) {
  axis_set s = 0;
  for (const auto& names : by) s |= set_of(names);
  return s;
}

/// Divides an array among devices, into parts with the extents `local`.
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

/// Joins the parts of all devices to an array. Along axes of `mapped` that do not divide the array, the value of the
/// first device is used, since the devices may be assumed to agree.
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

inline varyings shard_map(equation_view& e) {
  const auto& body = *e.param<const jaxpr::body*>("jaxpr");
  axis_set mapped = 0;
  for (const auto& [name, size] : axes_of_mesh(e.param<std::string_view>("mesh")))
    if (const auto i = e.axes().add(name, size); i && !has(e.along(), *i)) mapped |= axis_set{1} << *i;
  if (body.invars.size() != e.operands().size() || body.results.size() != e.equation().outs.size())
    e.unsupported("its jaxpr does not fit its operands and results");
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

/// pmap: operands and results have an axis of devices, or are the same for all devices (None).
inline varyings pmap(equation_view& e) {
  const auto& body = *e.param<const jaxpr::body*>("call_jaxpr");
  const auto name = unquoted(e.param<std::string_view>("axis_name"));
  const auto size = e.param<std::int64_t>("axis_size");
  if (size < 1 || size > most_devices)
    e.unsupported(detail::message("its axis has {} devices; it must have 1 to {}", size, most_devices));
  const auto axis = e.axes().add(name, size);
  const std::vector<std::size_t> names = axis ? std::vector{*axis} : std::vector<std::size_t>{};
  const auto place = [](const jaxpr::value& v) {
    return v.tag == jaxpr::value::kind::integer ? std::optional(v.integer) : std::nullopt;
  };
  const jaxpr::value *inputs = e.find("in_axes"), *outputs = e.find("out_axes");
  if (!inputs || !outputs) e.unsupported("it lacks its parameter 'in_axes' or 'out_axes'");
  const auto in = inputs->items, to = outputs->items;
  if (in.size() != e.operands().size() || to.size() != e.equation().outs.size() || body.invars.size() != in.size() ||
      body.results.size() != to.size())
    e.unsupported("its axes and its jaxpr do not fit its operands and results");
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
