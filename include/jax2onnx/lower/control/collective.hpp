#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <jax2onnx/lower/control/types.hpp>
#include <jax2onnx/lower/elementwise/convert.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/refused.hpp>

/// Lowers collectives. Over array dimensions, which vmap made of named axes, psum, pmax and pmin are reductions. Over
/// the devices of a mesh every collective is the identity, up to the shape, since shard_map is refused for more than
/// one device. Source: jax/_src/lax/parallel.py.
namespace jax2onnx::lower {

/// Refuses a collective outside of a shard_map: it may be over any number of devices.
inline void require_one_device(const site& s) {
  if (!s.is_inside("shard_map")) s.unsupported(std::string(devices_reason), std::string(devices_help));
  s.ignore("axis_index_groups", "the only group is that of the only device");
}

/// The array dimensions among `axes`; names are axes of devices.
inline ints array_dimensions(const site& s) {
  const auto& axes = s.tree("axes").items;
  const auto is_dimension = [](const jaxpr::value& axis) { return axis.tag == jaxpr::value::kind::integer; };
  const auto dimensions = std::ranges::count_if(axes, is_dimension);
  if (dimensions == std::ssize(axes)) return s.param<ints>("axes");
  require_one_device(s);
  if (dimensions > 0) s.unsupported("it reduces over devices and array dimensions at once");
  return {};
}

/// Reduces every operand over the array dimensions.
template <reducer Kind>
jax_values reduce_named_axes(const site& s) {
  const ints axes = array_dimensions(s);
  if (const jaxpr::value* groups = s.find("axis_index_groups");
      groups && groups->tag != jaxpr::value::kind::none && !axes.empty())
    s.unsupported("it reduces groups of elements along an array dimension");
  jax_values out;
  for (std::size_t i = 0; i < s.arity(); ++i) out.push_back(reduce_or_identity(Kind, s.in(i), axes));
  return out;
}

/// What one device sends it also receives, in the shape of the result.
inline jax_values received(const site& s) {
  require_one_device(s);
  s.ignore_all("they name devices, and axes of extent 1");
  if (!s.has_results(s.arity())) s.malformed("it does not have a result for each operand");
  jax_values out;
  for (std::size_t i = 0; i < s.arity(); ++i) {
    const shape& dims = s.out_type(i).dims;
    out.push_back(each_part(s.in_parts(i), [&](const value& v) { return reshape(v, dims); }));
  }
  return out;
}

/// Zero, unless the device sends to itself.
inline jax_values ppermute(const site& s) {
  if (!s.tree("perm").items.empty()) return received(s);
  require_one_device(s);
  s.ignore_all("no device sends");
  jax_values out;
  for (std::size_t i = 0; i < s.out_count(); ++i) out.push_back(zeros_of(s.g, s.out_type(i)));
  return out;
}

/// The number of the only device.
inline jax_values axis_index(const site& s) {
  require_one_device(s);
  s.ignore("axis_name", "every axis has one device");
  return {scalar(s.g, s.out_dtype(), 0)};
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
    {"all_gather", received, "Reshape", all_gather_signature, parts_rule::own, "several devices"},
    {"all_to_all", received, "Reshape", all_to_all_signature, parts_rule::own, "several devices"},
    {"axis_index", axis_index, "(a constant)", signature{0, 1, nullptr, {axis_name}}, parts_rule::plain,
     "several devices"},
    {"pmax", reduce_named_axes<reducer::maximum>, "ReduceMax", named_reduction_signature, parts_rule::plain,
     "several devices"},
    {"pmin", reduce_named_axes<reducer::minimum>, "ReduceMin", named_reduction_signature, parts_rule::plain,
     "several devices"},
    {"ppermute", ppermute, "",
     signature{{}, {}, same_types, {axis_name, {"perm", param_form::list, "pairs of devices"}}}, parts_rule::own,
     "several devices"},
    {"psum", reduce_named_axes<reducer::sum>, "ReduceSum", named_reduction_signature, parts_rule::each,
     "several devices"},
    {"reduce_scatter", received, "Reshape", reduce_scatter_signature, parts_rule::own, "several devices"},
};

}  // namespace jax2onnx::lower
