#pragma once

#include <jax2onnx/lower/table.hpp>

/// Primitives that map elements: arithmetic, comparison, selection. Source of the rules: jax.lax.
namespace jax2onnx::lower {

template <std::size_t N>
struct op_name {
  char text[N];
  constexpr op_name(const char (&t)[N]) { std::copy_n(t, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

template <op_name Op>
results map1(const site& s) {
  return {unary(Op.view(), s.in(0))};
}
template <op_name Op>
results map2(const site& s) {
  return {binary(Op.view(), s.in(0), s.in(1))};
}
template <op_name Op>
results compare2(const site& s) {
  return {compare(Op.view(), s.in(0), s.in(1))};
}
inline results identity(const site& s) { return {s.in(0)}; }

/// and, or, xor, not: logical for bool, bitwise for integers (opset 18).
template <op_name Logical, op_name Bitwise>
results bits2(const site& s) {
  return {binary(is_boolean(s.in_dtype()) ? Logical.view() : Bitwise.view(), s.in(0), s.in(1))};
}
inline results bit_not(const site& s) { return {unary(is_boolean(s.in_dtype()) ? "Not" : "BitwiseNot", s.in(0))}; }

inline results ne(const site& s) { return {logical_not(equal(s.in(0), s.in(1)))}; }
inline results rsqrt(const site& s) { return {reciprocal(sqrt(s.in(0)))}; }
inline results square(const site& s) { return {mul(s.in(0), s.in(0))}; }

/// select_n which case0 case1 …: case0 when which is false or 0.
inline results select_n(const site& s) {
  value which = s.ins()[0].re();
  if (is_boolean(which.dtype())) return {where(which, s.in(2), s.in(1))};
  value chosen = s.in(s.arity() - 1);
  for (std::size_t i = s.arity() - 2; i >= 1; --i) chosen = where(equal(which, static_cast<std::int64_t>(i - 1)), s.in(i), chosen);
  return {chosen};
}

/// clamp min x max; JAX takes max(min, x) first, then min(max, that).
inline results clamp(const site& s) { return {minimum(maximum(s.in(1), s.in(0)), s.in(2))}; }

/// x to the power y, by repeated squaring; 1 / x^-y for negative y.
inline results integer_pow(const site& s) {
  const auto y = s.param<std::int64_t>("y");
  std::uint64_t n = y < 0 ? 0 - static_cast<std::uint64_t>(y) : static_cast<std::uint64_t>(y);
  if (n == 0) return {filled(s.g, s.out_dtype(), s.out_dims(), 1)};
  value base = s.in(0), product;
  for (; n; n >>= 1) {
    if (n & 1) product = product ? mul(product, base) : base;
    if (n > 1) base = mul(base, base);
  }
  return {y < 0 ? reciprocal(product) : product};
}

inline results convert_element_type(const site& s) {
  s.find("new_dtype");
  return {cast(s.in(0), s.out_dtype())};
}

inline constexpr lowering elementwise_rows[] = {
    {"abs", map1<"Abs">, "Abs"},
    {"add", map2<"Add">, "Add"},
    {"add_any", map2<"Add">, "Add"},
    {"and", bits2<"And", "BitwiseAnd">, "And, BitwiseAnd"},
    {"ceil", map1<"Ceil">, "Ceil"},
    {"clamp", clamp, "Max, Min"},
    {"convert_element_type", convert_element_type, "Cast"},
    {"copy", identity, "", parts_rule::each},
    {"copy_p", identity, "", parts_rule::each},
    {"cos", map1<"Cos">, "Cos"},
    {"div", map2<"Div">, "Div"},
    {"eq", compare2<"Equal">, "Equal"},
    {"erf", map1<"Erf">, "Erf"},
    {"exp", map1<"Exp">, "Exp"},
    {"floor", map1<"Floor">, "Floor"},
    {"ge", compare2<"GreaterOrEqual">, "GreaterOrEqual"},
    {"gt", compare2<"Greater">, "Greater"},
    {"integer_pow", integer_pow, "Mul, Reciprocal"},
    {"le", compare2<"LessOrEqual">, "LessOrEqual"},
    {"log", map1<"Log">, "Log"},
    {"logistic", map1<"Sigmoid">, "Sigmoid"},
    {"lt", compare2<"Less">, "Less"},
    {"max", map2<"Max">, "Max"},
    {"min", map2<"Min">, "Min"},
    {"mul", map2<"Mul">, "Mul"},
    {"ne", ne, "Equal, Not"},
    {"neg", map1<"Neg">, "Neg"},
    {"not", bit_not, "Not, BitwiseNot"},
    {"or", bits2<"Or", "BitwiseOr">, "Or, BitwiseOr"},
    {"rsqrt", rsqrt, "Sqrt, Reciprocal"},
    {"select_n", select_n, "Where", parts_rule::each},
    {"sin", map1<"Sin">, "Sin"},
    {"sqrt", map1<"Sqrt">, "Sqrt"},
    {"square", square, "Mul"},
    {"stop_gradient", identity, "", parts_rule::each},
    {"sub", map2<"Sub">, "Sub"},
    {"tanh", map1<"Tanh">, "Tanh"},
    {"xor", bits2<"Xor", "BitwiseXor">, "Xor, BitwiseXor"},
};

}  // namespace jax2onnx::lower
