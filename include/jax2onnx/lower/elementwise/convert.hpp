// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>

/// Lowers convert_element_type (Cast), zeros_like, and the identities copy, multiple_of and stop_gradient.
/// Source: jax.lax; multiple_of is a hint of Pallas.
namespace jax2onnx::lower {

// ops::convert_element_type is the verb; the lowering has the same name.
using ops::convert_element_type;

/// convert_element_type. Since JAX 0.11.2, subnormal bfloat16 numbers convert to false.
inline jax_values convert_element_type(const site& s) {
  const value x = s.in(0);
  if (x.dtype() == dtype::bf16 && is_boolean(s.out_dtype()) && s.since_0_11_2())
    return {logical_not(less(abs(cast(x, dtype::f32)), std::numeric_limits<float>::min()))};
  return {convert_element_type(x, s.out_dtype())};
}

/// Zeros of type `t`.
inline jax_value zeros_of(graph& g, const aval& t) {
  return from_parts(t.elem.parts, [&](std::size_t) { return filled(g, t.elem.part, t.dims, 0); });
}

/// zeros_like, a primitive up to JAX 0.4.20.
inline jax_values zeros(const site& s) {
  jax_values out;
  for (const aval& t : s.out_types()) out.push_back(zeros_of(s.g, t));
  return out;
}

inline constexpr lowering convert_rows[] = {
    {"convert_element_type", convert_element_type, "Cast",
     signature{1, 1, convert_types, {{"new_dtype", param_form::element}}}, ignores{"new_dtype sharding weak_type"}},
    {"copy", identity, "", any_unary, parts_rule::each},
    {"multiple_of", identity, "", any_unary, parts_rule::each, ignores{"values"}},
    {"stop_gradient", identity, "", any_unary, parts_rule::each},
    {"zeros_like", zeros, "Expand", any_unary, parts_rule::own},
};

}  // namespace jax2onnx::lower
