#pragma once

#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/lower/elementwise/map.hpp>

/// Primitives that pass elements on, as they are or in another type.
namespace jax2onnx::lower {

inline results convert_element_type(const site& s) {
  s.find("new_dtype");
  return {convert(s.in(0), s.out_dtype())};
}

/// Zeros of the results' types: zeros_like of JAX up to 0.4.20, results without elements.
inline results zeros(const site& s) {
  results out;
  for (const aval& t : s.out_types()) {
    operand o;
    while (o.count < t.elem.parts) o.parts[o.count++] = filled(s.g, t.elem.part, t.dims, 0);
    out.push_back(o);
  }
  return out;
}

inline constexpr lowering convert_rows[] = {
    {"convert_element_type", convert_element_type, "Cast"},
    {"copy", identity, "", parts_rule::each},
    {"stop_gradient", identity, "", parts_rule::each},
    {"zeros_like", zeros, "Expand", parts_rule::own},
};

}  // namespace jax2onnx::lower
