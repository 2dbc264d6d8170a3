#pragma once

#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/refused.hpp>

/// Lowers psum, pmax and pmin over array dimensions, which vmap made of named axes, to reductions. Collectives over
/// devices are unsupported. Source: jax/_src/lax/parallel.py.
namespace jax2onnx::lower {

/// Reduces every operand. An integer in `axes` is a dimension, which vmap has resolved; a name is an axis of devices.
template <reducer Kind>
jax_values reduce_named_axes(const site& s) {
  if (s.find("axis_index_groups") && s.find("axis_index_groups")->tag != jaxpr::value::kind::none)
    s.unsupported(std::string(devices_reason), std::string(devices_help));
  if (const jaxpr::value* axes = s.find("axes"))
    for (const jaxpr::value& axis : axes->items)
      if (axis.tag != jaxpr::value::kind::integer)
        s.unsupported(std::string(devices_reason), std::string(devices_help));
  const auto axes = s.param<ints>("axes");
  jax_values out;
  for (std::size_t i = 0; i < s.arity(); ++i) out.push_back(reduce_or_identity(Kind, s.in(i), axes));
  return out;
}

inline constexpr lowering collective_rows[] = {
    {"pmax", reduce_named_axes<reducer::maximum>, "ReduceMax", parts_rule::plain, "axes of devices"},
    {"pmin", reduce_named_axes<reducer::minimum>, "ReduceMin", parts_rule::plain, "axes of devices"},
    {"psum", reduce_named_axes<reducer::sum>, "ReduceSum", parts_rule::each, "axes of devices"},
};

}  // namespace jax2onnx::lower
