#pragma once

#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/refused.hpp>

/// Collectives over the dimensions that vmap made of a named axis. Those over devices are refused.
namespace jax2onnx::lower {

/// psum, pmax, pmin of every operand. vmap prints the dimension for the axis it resolved; a name is an axis of devices.
/// Source: jax/_src/lax/parallel.py.
template <op_name Op>
jax_values reduce_named_axes(const site& s) {
  if (s.find("axis_index_groups") && s.find("axis_index_groups")->tag != jaxpr::value::kind::none)
    s.unsupported(std::string(devices_reason), std::string(devices_help));
  if (const jaxpr::value* axes = s.find("axes"))
    for (const jaxpr::value& axis : axes->items)
      if (axis.tag != jaxpr::value::kind::integer)
        s.unsupported(std::string(devices_reason), std::string(devices_help));
  const auto axes = s.param<ints>("axes");
  jax_values out;
  for (std::size_t i = 0; i < s.arity(); ++i) out.push_back(reduced(Op.view(), s.in(i), axes));
  return out;
}

inline constexpr lowering collective_rows[] = {
    {"pmax", reduce_named_axes<"ReduceMax">, "ReduceMax", parts_rule::plain, "axes of devices"},
    {"pmin", reduce_named_axes<"ReduceMin">, "ReduceMin", parts_rule::plain, "axes of devices"},
    {"psum", reduce_named_axes<"ReduceSum">, "ReduceSum", parts_rule::each, "axes of devices"},
};

}  // namespace jax2onnx::lower
