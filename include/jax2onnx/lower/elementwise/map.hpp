// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/graph/op_name.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>

/// Lowerers that apply one ONNX operator or one verb to every element. The rows of the other headers use them.
namespace jax2onnx::lower {

using detail::op_name;

template <op_name Op>
jax_values map1(const site& s) {
  return {unary(Op.view(), s.in(0))};
}
template <op_name Op>
jax_values map2(const site& s) {
  return {binary(Op.view(), s.in(0), s.in(1))};
}
template <op_name Op>
jax_values compare2(const site& s) {
  return {compare(Op.view(), s.in(0), s.in(1))};
}
/// Applies `Logical` to bool, and `Numeric` to every other type.
template <op_name Logical, op_name Numeric>
jax_values bool_or(const site& s) {
  return {binary(is_boolean(s.in_dtype()) ? Logical.view() : Numeric.view(), s.in(0), s.in(1))};
}

using unary_verb = value (*)(const value&);
using binary_verb = value (*)(const value&, const value&);

template <unary_verb F>
jax_values apply1(const site& s) {
  return {F(s.in(0))};
}
template <binary_verb F>
jax_values apply2(const site& s) {
  return {F(s.in(0), s.in(1))};
}
/// Like apply1 and apply2, but narrow floating-point types are computed in float, so that only the final result is
/// rounded.
template <unary_verb F>
jax_values real1(const site& s) {
  return {cast(F(at_least_float(s.in(0))), s.out_dtype())};
}
template <binary_verb F>
jax_values real2(const site& s) {
  return {cast(F(at_least_float(s.in(0)), at_least_float(s.in(1))), s.out_dtype())};
}

inline jax_values identity(const site& s) { return {s.in(0)}; }

}  // namespace jax2onnx::lower
