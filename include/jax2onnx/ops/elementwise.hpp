// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/ops/checked.hpp>
#include <jax2onnx/ops/constants.hpp>

/// The verbs that map elements. Operands broadcast.
namespace jax2onnx::ops {

/// An operator that maps every element to an element of the same dtype: Abs, Exp, Neg, Not, Sigmoid, …
inline value unary(operator_name op, const value& x) { return x.owner().emit(op, {x}, x.type()); }

/// An operator on two operands of one dtype, which broadcast: Add, Max, BitwiseAnd, … Throws a build_error if the
/// dtypes differ or the shapes do not broadcast.
inline value binary(operator_name op, const value& a, const value& b) {
  detail::require_same_dtype(op, a, b);
  return a.owner().emit(op, {a, b}, {a.dtype(), detail::checked(op, infer::broadcast(a.dims(), b.dims()), {a, b})});
}

/// An operator on two operands of one dtype that gives a bool: Equal, Less, …
inline value compare(operator_name op, const value& a, const value& b) {
  detail::require_same_dtype(op, a, b);
  return a.owner().emit(op, {a, b},
                        {dtype::boolean, detail::checked(op, infer::broadcast(a.dims(), b.dims()), {a, b})});
}

/// The ONNX operators of these names. Two operands must have one dtype and broadcast, else a build_error is thrown.
/// Comparisons and is_nan return bool; logical operators take bool.
/// @{
inline value add(const value& a, const value& b) { return binary("Add", a, b); }
inline value sub(const value& a, const value& b) { return binary("Sub", a, b); }
inline value mul(const value& a, const value& b) { return binary("Mul", a, b); }
inline value div(const value& a, const value& b) { return binary("Div", a, b); }
inline value maximum(const value& a, const value& b) { return binary("Max", a, b); }
inline value minimum(const value& a, const value& b) { return binary("Min", a, b); }
inline value neg(const value& x) { return unary("Neg", x); }
inline value abs(const value& x) { return unary("Abs", x); }
inline value exp(const value& x) { return unary("Exp", x); }
inline value log(const value& x) { return unary("Log", x); }
inline value sqrt(const value& x) { return unary("Sqrt", x); }
inline value reciprocal(const value& x) { return unary("Reciprocal", x); }
inline value floor(const value& x) { return unary("Floor", x); }
inline value equal(const value& a, const value& b) { return compare("Equal", a, b); }
inline value less(const value& a, const value& b) { return compare("Less", a, b); }
inline value less_equal(const value& a, const value& b) { return compare("LessOrEqual", a, b); }
inline value greater(const value& a, const value& b) { return compare("Greater", a, b); }
inline value greater_equal(const value& a, const value& b) { return compare("GreaterOrEqual", a, b); }
inline value logical_not(const value& x) { return unary("Not", x); }
inline value logical_and(const value& a, const value& b) { return binary("And", a, b); }
inline value logical_or(const value& a, const value& b) { return binary("Or", a, b); }
inline value logical_xor(const value& a, const value& b) { return binary("Xor", a, b); }
inline value is_nan(const value& x) { return x.owner().emit("IsNaN", {x}, {dtype::boolean, x.dims()}); }
/// @}

/// A C++ number as an operand; it gets the dtype of the other operand.
template <class T>
concept arithmetic = std::is_arithmetic_v<T>;

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// A constant of the dtype of `a`, rounded if the dtype is floating-point. Throws a build_error for a C++
/// floating-point number if the dtype is not floating-point, and for an integer that is out of range of an integer
/// dtype.
template <arithmetic Number>
value number_beside(std::string_view op, const value& a, Number number) {
  const dtype t = a.dtype();
  if constexpr (std::is_floating_point_v<Number>) {
    if (!is_floating(t))
      throw_misfit(op, message("the number {} cannot be represented in the dtype", number), std::array{a});
  } else if (is_integer(t)) {
    const bool negative = number < Number{};
    if (negative ? static_cast<std::int64_t>(number) < smallest_integer(t)
                 : static_cast<std::uint64_t>(number) > largest_integer(t))
      throw_misfit(op, message("the number {} cannot be represented in the dtype", number), std::array{a});
  }
  return scalar(a.owner(), t, number);
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// Verbs on a value and a number, which gets the dtype of the value. Throw a build_error for a floating-point number
/// with a value of another kind, such as 0.5 with integers, and for an integer that is out of range of an integer
/// dtype.
/// @{
template <arithmetic Number>
value add(const value& a, Number b) {
  return add(a, detail::number_beside("Add", a, b));
}
template <arithmetic Number>
value sub(const value& a, Number b) {
  return sub(a, detail::number_beside("Sub", a, b));
}
template <arithmetic Number>
value mul(const value& a, Number b) {
  return mul(a, detail::number_beside("Mul", a, b));
}
template <arithmetic Number>
value div(const value& a, Number b) {
  return div(a, detail::number_beside("Div", a, b));
}
template <arithmetic Number>
value maximum(const value& a, Number b) {
  return maximum(a, detail::number_beside("Max", a, b));
}
template <arithmetic Number>
value minimum(const value& a, Number b) {
  return minimum(a, detail::number_beside("Min", a, b));
}
template <arithmetic Number>
value less(const value& a, Number b) {
  return less(a, detail::number_beside("Less", a, b));
}
template <arithmetic Number>
value greater_equal(const value& a, Number b) {
  return greater_equal(a, detail::number_beside("GreaterOrEqual", a, b));
}
template <arithmetic Number>
value greater(const value& a, Number b) {
  return greater(a, detail::number_beside("Greater", a, b));
}
template <arithmetic Number>
value less_equal(const value& a, Number b) {
  return less_equal(a, detail::number_beside("LessOrEqual", a, b));
}
template <arithmetic Number>
value equal(const value& a, Number b) {
  return equal(a, detail::number_beside("Equal", a, b));
}
/// @}

/// `c ? a : b` for a bool c (Where). The three operands broadcast; a and b have one dtype.
inline value where(const value& c, const value& a, const value& b) {
  detail::require_same_dtype("Where", a, b);
  if (c.dtype() != dtype::boolean) detail::throw_misfit("Where", "the condition is not bool", std::array{c, a, b});
  return a.owner().emit(
      "Where", {c, a, b},
      {a.dtype(), detail::checked("Where", infer::broadcast(c.dims(), a.dims(), b.dims()), {c, a, b})});
}

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// The attributes of a Cast. Casts to 8-bit floats do not saturate: numbers out of range become infinity or NaN, as in
/// JAX.
inline std::vector<attribute> cast_attributes(dtype to) {
  std::vector<attribute> out{{"to", static_cast<std::int64_t>(to)}};
  if (is_floating(to) && bits(to) == 8) out.push_back({"saturate", std::int64_t{0}});
  if (to == dtype::f8_e8m0fnu) out.push_back({"round_mode", std::string("nearest")});
  return out;
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// x in dtype `to` (Cast). Results for numbers out of range depend on the runtime; convert_element_type defines them.
inline value cast(const value& x, dtype to) {
  if (x.dtype() == to) return x;
  return x.owner().emit("Cast", {x}, {to, x.dims()}, detail::cast_attributes(to));
}

/// min(max(x, low), high) with bounds of rank 0 and of the dtype of x (Clip).
inline value clip(const value& x, const value& low, const value& high) {
  return x.owner().emit("Clip", {x, low, high}, x.type());
}

}  // namespace jax2onnx::ops
