#pragma once

#include <jax2onnx/build/convert.hpp>
#include <jax2onnx/lower/map.hpp>

/// Primitives that pass elements on, as they are or in another type.
namespace jax2onnx::lower {

inline results convert_element_type(const site& s) {
  s.find("new_dtype");
  return {convert(s.in(0), s.out_dtype())};
}

inline constexpr lowering elementwise_rows[] = {
    {"convert_element_type", convert_element_type, "Cast"},
    {"copy", identity, "", parts_rule::each},
    {"stop_gradient", identity, "", parts_rule::each},
};

}  // namespace jax2onnx::lower
