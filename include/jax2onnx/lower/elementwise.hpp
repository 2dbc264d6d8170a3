#pragma once

#include <jax2onnx/build/convert.hpp>
#include <jax2onnx/lower/map.hpp>

/// Primitives that pass elements on, as they are or in another type.
namespace jax2onnx::lower {

inline results convert_element_type(const site& s) {
  s.find("new_dtype");
  return {convert(s.in(0), s.out_dtype())};
}

/// Every operand is the result of its number.
inline results identities(const site& s) { return {s.ins().begin(), s.ins().end()}; }

/// Where an array lies changes no value.
inline results device_put(const site& s) {
  for (std::string_view key : {"devices", "srcs", "copy_semantics", "device", "src"}) s.find(key);
  return identities(s);
}

inline constexpr lowering elementwise_rows[] = {
    {"convert_element_type", convert_element_type, "Cast"},
    {"copy", identity, "", parts_rule::each},
    {"copy_p", identity, "", parts_rule::each},
    {"device_put", device_put, "", parts_rule::own},
    {"optimization_barrier", identities, "", parts_rule::own},
    {"stop_gradient", identity, "", parts_rule::each},
};

}  // namespace jax2onnx::lower
