// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/collectives.hpp>
#include <jax2onnx/lower/batching/mesh_text.hpp>
#include <jax2onnx/lower/devices/device.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/support/function_ref.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Collectives in the model of one device: operators of a separate domain, from an extension of the runtime. Each
/// operator lists the devices that take part, and has a channel number that is the same on all of these devices.
/// Source: jax/_src/lax/parallel.py.
namespace jax2onnx::lower::devices {

/// The result of one exchange among a group; `dims` are the extents of the result.
inline value exchanged(device& d, operator_name op, const device_group& among, const value& x, shape dims,
                       std::vector<attribute> more) {
  graph& g = x.owner();
  if (!g.hold(static_cast<std::uint64_t>(among.size()) * sizeof(std::int64_t)))
    throw limit_error("exchanges among many devices take too much memory (the limit 'bytes')");
  more.push_back({"devices", among.members});
  more.push_back({"channel", d.next_channel()});
  const tensor_type types[] = {{x.dtype(), std::move(dims)}};
  return g.emit_many(op, std::span(&x, 1), types, std::move(more), collective_domain)[0];
}

/// Concatenates the parts of the group's devices along an axis.
inline value gathered(device& d, const device_group& among, const value& x, std::int64_t axis) {
  if (among.size() == 1) return x;
  shape dims = x.dims();
  dim& extent = dims[static_cast<std::size_t>(axis)];
  extent = x.owner().dims().mul(extent, among.size());
  return exchanged(d, operator_name::unchecked("AllGather"), among, x, std::move(dims), {{"axis", axis}});
}

/// The devices that exchange values in an equation.
inline device_group group_of(const site& s, const device& d) {
  const jaxpr::value* v = s.find("axes");
  if (!v) v = s.find("axis_name");
  if (!v) s.unsupported("it names no axes");
  axis_names names;
  const auto add = [&](const jaxpr::value& name) {
    if (name.tag == jaxpr::value::kind::integer) return;  // a dimension of the array
    names.push_back(batching::unquoted(name.text));
    if (!d.has_axis(names.back()))
      s.unsupported(detail::message("it names '{}', which is not an axis of the mesh", names.back()));
  };
  if (v->tag == jaxpr::value::kind::tuple || v->tag == jaxpr::value::kind::sequence)
    for (const jaxpr::value& item : v->items) add(item);
  else add(*v);
  device_group all = d.along(names);
  for (const ints& places : s.param_or<std::vector<ints>>("axis_index_groups", {})) {
    if (!item_loops::contains(places, all.own)) continue;
    device_group some;
    for (const std::int64_t place : places) {
      if (place < 0 || place >= all.size()) s.unsupported("its groups name a device that does not exist");
      if (place == all.own) some.own = some.size();
      some.members.push_back(all.members[static_cast<std::size_t>(place)]);
    }
    return some;
  }
  return all;
}

/// Applies `change` to each part of a value, or of all operands.
/// @{
using change_of_value = function_ref<value(const value&)>;
inline jax_value changed(jax_value v, const change_of_value& change) {
  for (std::size_t p = 0; p < v.count; ++p) v.parts[p] = change(v.parts[p]);
  return v;
}
inline jax_values each_operand(const site& s, const change_of_value& change) {
  jax_values out;
  for (const jax_value& operand : s.ins()) out.push_back(changed(operand, change));
  return out;
}
/// @}

/// psum, pmax and pmin. vmap replaces named axes by array dimensions, over which these primitives are reductions.
template <reducer Kind, char const* Reduction>
jax_values all_reduce(const site& s, device& d) {
  ints dimensions;
  for (const jaxpr::value& axis : s.tree("axes").items)
    if (axis.tag == jaxpr::value::kind::integer) dimensions.push_back(axis.integer);
  if (dimensions.size() == s.tree("axes").items.size()) return lower_builtin(s);
  const device_group among = group_of(s, d);
  return each_operand(s, [&](value x) {
    if (!dimensions.empty()) x = reduce_or_identity(Kind, x, dimensions);
    if (among.size() == 1) return x;
    return exchanged(d, operator_name::unchecked("AllReduce"), among, x, x.dims(), {{"reduction", Reduction}});
  });
}
inline constexpr char sum_name[] = "sum", max_name[] = "max", min_name[] = "min";

inline jax_values all_gather(const site& s, device& d) {
  const device_group among = group_of(s, d);
  const auto axis = s.param<std::int64_t>("all_gather_dimension");
  const bool tiled = s.param_or<bool>("tiled", false);
  s.ignore("axis_size", "the mesh tells it");
  return each_operand(s, [&](const value& x) { return gathered(d, among, tiled ? x : unsqueeze(x, {axis}), axis); });
}

/// Each device gets one part of the sum.
inline jax_values reduce_scatter(const site& s, device& d) {
  const device_group among = group_of(s, d);
  const auto axis = s.param<std::int64_t>("scatter_dimension");
  const bool tiled = s.param_or<bool>("tiled", false);
  s.ignore("axis_size", "the mesh tells it");
  return each_operand(s, [&](value x) {
    if (among.size() > 1) {
      shape dims = x.dims();
      dim& extent = dims.at(static_cast<std::size_t>(axis));
      extent = s.g.dims().floordiv(extent, among.size());
      x = exchanged(d, operator_name::unchecked("ReduceScatter"), among, x, std::move(dims),
                    {{"axis", axis}, {"reduction", sum_name}});
    }
    return tiled ? x : squeeze(x, {axis});
  });
}

/// Divides the operand along split_axis and sends part k to device k. Joins the received parts along concat_axis.
inline jax_values all_to_all(const site& s, device& d) {
  const device_group among = group_of(s, d);
  const auto split = s.param<std::int64_t>("split_axis"), join = s.param<std::int64_t>("concat_axis");
  s.ignore("tiled", "the rank is the same");
  return each_operand(s, [&](const value& x) {
    if (among.size() == 1) return x;
    shape dims = x.dims();
    dim &from = dims.at(static_cast<std::size_t>(split)), &to = dims.at(static_cast<std::size_t>(join));
    from = s.g.dims().floordiv(from, among.size());
    to = s.g.dims().mul(to, among.size());
    return exchanged(d, operator_name::unchecked("AllToAll"), among, x, std::move(dims),
                     {{"split_axis", split}, {"concat_axis", join}});
  });
}

/// Each device sends to at most one device and receives from at most one device. The pairs number the devices of the
/// group in the order of the mesh, even if the equation names the axes in another order. A device without a sender gets
/// zeros.
inline jax_values ppermute(const site& s, device& d) {
  device_group among = group_of(s, d);
  std::ranges::sort(among.members);
  const auto pairs = s.param<std::vector<ints>>("perm");
  ints flat;
  for (const ints& pair : pairs) {
    if (pair.size() != 2 || std::min(pair[0], pair[1]) < 0 || std::max(pair[0], pair[1]) >= among.size())
      s.unsupported("its permutation names a device that does not exist");
    flat.insert(flat.end(), pair.begin(), pair.end());
  }
  return each_operand(s, [&](const value& x) {
    if (flat.empty()) return broadcast_to(scalar(s.g, x.dtype(), 0), x.dims());
    if (among.size() == 1) return x;
    return exchanged(d, operator_name::unchecked("CollectivePermute"), among, x, x.dims(),
                     {{"source_target_pairs", flat}});
  });
}

/// Lowers pvary and pbroadcast. With parameter `source`, all devices get the value of the source. Without it, the value
/// is only marked as varying.
inline jax_values pvary(const site& s, device& d) {
  if (!s.find("source")) return lower_builtin(s);
  const device_group among = group_of(s, d);
  const auto source = s.param<std::int64_t>("source");
  if (source < 0 || source >= among.size()) s.unsupported("its source is a device that does not exist");
  return each_operand(s, [&](const value& x) {
    if (among.size() == 1) return x;
    return exchanged(d, operator_name::unchecked("Broadcast"), among, x, x.dims(), {{"source", source}});
  });
}

/// The device's index along the axes. The index is an operator instead of a constant, so that the models of all devices
/// have the same nodes, with different numbers, and exchange the same values.
inline jax_values axis_index(const site& s, device& d) {
  const jaxpr::value& name = s.tree("axis_name");
  if (name.tag != jaxpr::value::kind::tuple && !d.has_axis(batching::unquoted(name.text)))
    return lower_builtin(s);  // an axis of the grid of a kernel
  const tensor_type types[] = {{dtype::i32, {}}};
  const value index = s.g.emit_many(operator_name::unchecked("AxisIndex"), {}, types, {{"index", group_of(s, d).own}},
                                    collective_domain)[0];
  return {cast(index, s.out_dtype())};
}

}  // namespace jax2onnx::lower::devices
