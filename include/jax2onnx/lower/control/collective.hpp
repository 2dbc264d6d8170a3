// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/control/types.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/refused.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Collectives outside of a shard_map or pmap; inside of these, the batching pass replaces collectives by ordinary
/// equations. vmap replaces named axes by array dimensions, over which psum, pmax and pmin are reductions. Other
/// collectives exchange values between devices, whose number the text does not state. Source: jax/_src/lax/parallel.py.
namespace jax2onnx::lower {

/// Refuses a collective over devices.
inline jax_values over_devices(const site& s) { s.unsupported(std::string(devices_reason), std::string(devices_help)); }

/// The position along a named axis of a kernel's grid. Refuses the axes of devices.
inline jax_values axis_index(const site& s) {
  const auto name = s.param<std::string_view>("axis_name");
  for (const grid_axis& axis : s.driver().grid)
    if (!axis.name.empty() && axis.name == name) return {cast(axis.position, s.out_dtype())};
  return over_devices(s);
}

/// Reduces every operand over the array dimensions that the equation names. Refuses the axes of devices, and groups.
template <reducer Kind>
jax_values reduce_named_axes(const site& s) {
  const auto is_dimension = [](const jaxpr::value& axis) { return axis.tag == jaxpr::value::kind::integer; };
  if (!item_loops::all_of(s.tree("axes").items, is_dimension)) return over_devices(s);
  const auto axes = s.param<ints>("axes");
  if (const jaxpr::value* groups = s.find("axis_index_groups");
      groups && groups->tag != jaxpr::value::kind::none && !axes.empty())
    s.unsupported("it reduces groups of elements along an array dimension");
  jax_values out;
  for (std::size_t i = 0; i < s.arity(); ++i) out.push_back(reduce_or_identity(Kind, s.in(i), axes));
  return out;
}

inline constexpr param_rule axis_name{"axis_name", param_form::other}, axis_size{"axis_size", param_form::number},
    axis_groups{"axis_index_groups", param_form::list}, tiled{"tiled", param_form::flag};
inline constexpr signature all_gather_signature{
    or_more(1),
    or_more(1),
    nullptr,
    {{"all_gather_dimension", param_form::number}, axis_groups, axis_name, axis_size, tiled}};
inline constexpr signature all_to_all_signature{
    or_more(1),
    or_more(1),
    nullptr,
    {axis_groups, axis_name, {"concat_axis", param_form::number}, {"split_axis", param_form::number}, tiled}};
inline constexpr signature reduce_scatter_signature{
    or_more(1),
    or_more(1),
    nullptr,
    {axis_groups, axis_name, axis_size, {"scatter_dimension", param_form::number}, tiled}};
inline constexpr signature named_reduction_signature{
    or_more(1), or_more(1), nullptr, {{"axes", param_form::list, "axes and names of axes"}, axis_groups}};

inline constexpr lowering collective_rows[] = {
    {"all_gather", over_devices, "Transpose, Reshape", all_gather_signature, parts_rule::own,
     "use outside of shard_map and pmap"},
    {"all_to_all", over_devices, "Transpose, Reshape", all_to_all_signature, parts_rule::own,
     "use outside of shard_map and pmap"},
    {"axis_index", axis_index, "(a constant)", signature{0, 1, nullptr, {axis_name}}, parts_rule::plain,
     "use outside of shard_map, pmap and kernels"},
    {"pmax", reduce_named_axes<reducer::maximum>, "ReduceMax", named_reduction_signature, parts_rule::plain,
     "axes of devices outside of shard_map and pmap"},
    {"pmin", reduce_named_axes<reducer::minimum>, "ReduceMin", named_reduction_signature, parts_rule::plain,
     "axes of devices outside of shard_map and pmap"},
    {"ppermute", over_devices, "Slice, Concat",
     signature{{}, {}, same_types, {axis_name, {"perm", param_form::list, "pairs of devices"}}}, parts_rule::own,
     "use outside of shard_map and pmap"},
    {"psum", reduce_named_axes<reducer::sum>, "ReduceSum", named_reduction_signature, parts_rule::each,
     "axes of devices outside of shard_map and pmap"},
    {"reduce_scatter", over_devices, "ReduceSum, Reshape", reduce_scatter_signature, parts_rule::own,
     "use outside of shard_map and pmap"},
};

}  // namespace jax2onnx::lower
