// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/lower/devices/collectives.hpp>
#include <jax2onnx/lower/devices/device.hpp>
#include <jax2onnx/lower/devices/part_source.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>

/// shard_map and pmap for one device, which uses its parts of the operands and gathers the parts of the results.
/// Source: jax/_src/shard_map.py, jax/_src/pmap.py.
namespace jax2onnx::lower::devices {

/// The groups that divide each axis of an array.
using division = std::vector<device_group>;

/// A part of a constant along one axis. The bytes of the part are read only when the model is written.
inline value part_of_constant(const value& x, std::int64_t axis, const array_part& part) {
  graph& g = x.owner();
  tensor_type type = x.type();
  std::uint64_t row = static_cast<std::uint64_t>(bits(x.dtype())) / 8;
  for (std::size_t d = static_cast<std::size_t>(axis); d < type.dims.size(); ++d)
    row *= static_cast<std::uint64_t>(type.dims[d].extent());
  dim& extent = type.dims[static_cast<std::size_t>(axis)];
  extent = extent.extent() / part.count;
  const std::uint64_t own = row / static_cast<std::uint64_t>(part.count);
  return g.constant(
      std::move(type),
      bytes(std::make_shared<const part_source>(x.data(), row, own * static_cast<std::uint64_t>(part.number), own)),
      g.at(x.id()).name);
}

/// The device's part of an array that `by` divides.
inline value part_of(device& d, const value& x, const division& by) {
  constexpr std::uint64_t few = 4096;  // constants up to this size in bytes are folded
  graph& g = x.owner();
  array_parts where;
  bool is_whole = true;
  for (const device_group& group : by) {
    where.push_back({group.own, group.size()});
    is_whole = is_whole && group.size() == 1;
  }
  if (is_whole) return x;
  if (const own_part* own = d.gathered(x.id()); own && own->where == where) return value(g, own->part);
  const bool is_weight = x.is_constant() && x.data().size() > few && bits(x.dtype()) % 8 == 0;
  value part = x;
  ints axes;
  shape starts, limits;
  for (std::size_t a = 0; a < by.size(); ++a) {
    const array_part& p = where[a];
    if (p.count == 1) continue;
    const auto axis = static_cast<std::int64_t>(a);
    if (is_weight) {
      part = part_of_constant(part, axis, p);
      continue;
    }
    const dim local = g.dims().floordiv(x.dims()[a], p.count);
    axes.push_back(axis);
    starts.push_back(g.dims().mul(local, p.number));
    limits.push_back(g.dims().mul(local, p.number + 1));
  }
  if (!is_weight) part = slice(x, axes, starts, limits, ints(axes.size(), 1));
  d.note_cut(part, std::move(where));
  return part;
}

/// Gathers an array from the parts of all devices; `part` is the part of this device.
inline value whole_of(device& d, const value& part, const division& by) {
  value whole = part;
  array_parts where;
  for (std::size_t a = 0; a < by.size(); ++a) {
    where.push_back({by[a].own, by[a].size()});
    whole = gathered(d, by[a], whole, static_cast<std::int64_t>(a));
  }
  if (whole.id() != part.id()) d.note_gathered(whole, part, std::move(where));
  return whole;
}

/// The groups of devices that divide an array of `rank` dimensions.
inline division division_of(const site& s, const device& d, const jaxpr::value& spec, std::size_t rank) {
  const auto names = batching::names_of_specification(spec);
  if (names.size() > rank) s.unsupported("a specification has more axes than its array");
  division out;
  for (std::size_t a = 0; a < rank; ++a) {
    for (const std::string_view name : a < names.size() ? names[a] : axis_names())
      if (!d.has_axis(name))
        s.unsupported(detail::message("a specification names '{}', which is not an axis of the mesh", name));
    out.push_back(d.along(a < names.size() ? names[a] : axis_names()));
  }
  return out;
}

inline jax_values shard_map(const site& s, device& d) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  for (const char* key : {"auto", "check_rep", "check_vma", "manual_axes", "newly_manual_axes", "rewrite"})
    s.ignore(key, "specifications and equations say what is divided");
  const auto mesh = batching::axes_of_mesh(s.param<std::string_view>("mesh"));
  return d.in_mesh(s, mesh, [&] {
    const auto in = batching::specifications(s, "in_specs", "in_names", s.arity());
    const auto to = batching::specifications(s, "out_specs", "out_names", s.out_count());
    jax_values args, out;
    for (std::size_t i = 0; i < in.size(); ++i)
      args.push_back(changed(s.in_parts(i), [&](const value& x) {
        return part_of(d, x, division_of(s, d, in[i], s.in_type(i).dims.size()));
      }));
    const jax_values results = s.inline_body(body, args, s.wanted());
    for (std::size_t i = 0; i < results.size(); ++i)
      out.push_back(changed(results[i], [&](const value& x) {
        return whole_of(d, x, division_of(s, d, to[i], s.out_type(i).dims.size()));
      }));
    return out;
  });
}

/// pmap: operands and results have an axis of devices, or are the same for all devices (None).
inline jax_values pmap(const site& s, device& d) {
  const auto& body = *s.param<const jaxpr::body*>("call_jaxpr");
  const std::pair axis{batching::unquoted(s.param<std::string_view>("axis_name")), s.param<std::int64_t>("axis_size")};
  for (const char* key :
       {"backend", "devices", "donated_invars", "global_axis_size", "is_explicit_global_axis_size", "name"})
    s.ignore(key, "they concern the machine");
  const auto place = [](const jaxpr::value& v) {
    return v.tag == jaxpr::value::kind::integer ? std::optional(v.integer) : std::nullopt;
  };
  const auto in = s.tree("in_axes").items, to = s.tree("out_axes").items;
  if (in.size() != s.arity() || to.size() != s.out_count())
    s.unsupported("its axes do not fit its operands and results");
  return d.in_mesh(s, std::span(&axis, 1), [&] {
    const auto divided = [&](std::size_t rank, std::int64_t at) {
      division by(rank, d.along({}));
      if (at < 0 || at >= std::ssize(by)) s.unsupported("it maps an axis that does not exist");
      by[static_cast<std::size_t>(at)] = d.along({axis.first});
      return by;
    };
    jax_values args, out;
    for (std::size_t i = 0; i < in.size(); ++i)
      args.push_back(changed(s.in_parts(i), [&](const value& x) {
        const auto at = place(in[i]);
        return at ? squeeze(part_of(d, x, divided(x.dims().size(), *at)), {*at}) : x;
      }));
    const jax_values results = s.inline_body(body, args, s.wanted());
    for (std::size_t i = 0; i < results.size(); ++i)
      out.push_back(changed(results[i], [&](const value& x) {
        const auto at = place(to[i]);
        return at ? whole_of(d, unsqueeze(x, {*at}), divided(x.dims().size() + 1, *at)) : x;
      }));
    return out;
  });
}

/// Lowers an equation for one device.
using device_lowering = jax_values (*)(const site&, device&);
struct device_row {
  std::string_view primitive;
  device_lowering lower;
};
inline constexpr device_row device_rows[] = {
    {"all_gather", all_gather},
    {"all_to_all", all_to_all},
    {"axis_index", axis_index},
    {"pmax", all_reduce<reducer::maximum, max_name>},
    {"pmin", all_reduce<reducer::minimum, min_name>},
    {"ppermute", ppermute},
    {"psum", all_reduce<reducer::sum, sum_name>},
    {"pvary", pvary},
    {"reduce_scatter", reduce_scatter},
    {"shard_map", shard_map},
    {"xla_pmap", pmap},
};

/// Adds the lowerings for one device, which replace the lowerings that compute for all devices at once.
inline void add_device_lowerers(user_lowerers& to, device& d) {
  for (const device_row& row : device_rows)
    to.insert_or_assign(std::string(row.primitive), [&d, lower = row.lower](const site& s) { return lower(s, d); });
}

}  // namespace jax2onnx::lower::devices
