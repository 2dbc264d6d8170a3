// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/complex/functions.hpp>
#include <jax2onnx/lower/elementwise/convert.hpp>
#include <jax2onnx/lower/table.hpp>

/// The elementwise primitives on complex numbers.
namespace jax2onnx::lower {

using complex_unary = jax_value (*)(const jax_value&);
using complex_binary = jax_value (*)(const jax_value&, const jax_value&);

template <complex_unary F>
jax_values complex1(const site& s) {
  return {F(s.in_parts(0))};
}
template <complex_binary F>
jax_values complex2(const site& s) {
  return {F(s.in_parts(0), s.in_parts(1))};
}
/// Applies F in double, for functions whose formulas lose up to half of the digits.
template <complex_unary F>
jax_values wide1(const site& s) {
  return {cx::in_double(F, s.in_parts(0))};
}
template <complex_binary F>
jax_values wide2(const site& s) {
  return {cx::in_double(F, s.in_parts(0), s.in_parts(1))};
}

inline jax_values modulus(const site& s) { return {cx::abs(s.in_parts(0))}; }

/// clamp low x high compares real parts only, unlike max and min.
inline jax_values complex_clamp(const site& s) {
  const jax_value &low = s.in_parts(0), &x = s.in_parts(1), &high = s.in_parts(2);
  const jax_value raised = cx::where(less_equal(x.re(), low.re()), low, x);
  return {cx::where(less_equal(raised.re(), high.re()), raised, high)};
}

inline jax_values complex_eq(const site& s) { return {cx::equal(s.in_parts(0), s.in_parts(1))}; }
inline jax_values complex_ne(const site& s) { return {logical_not(cx::equal(s.in_parts(0), s.in_parts(1)))}; }

/// z^y for an integer y, by repeated squaring; 1 / z^-y for negative y.
inline jax_values complex_integer_pow(const site& s) {
  const auto y = s.param<std::int64_t>("y");
  std::uint64_t n = y < 0 ? 0 - static_cast<std::uint64_t>(y) : static_cast<std::uint64_t>(y);
  if (n == 0)
    return {jax_value(filled(s.g, s.out_dtype(), s.out_dims(), 1), filled(s.g, s.out_dtype(), s.out_dims(), 0))};
  jax_value base = s.in_parts(0), product;
  for (; n; n >>= 1) {
    if (n & 1) product = product.count ? cx::mul(product, base) : base;
    if (n > 1) base = cx::mul(base, base);
  }
  return {y < 0 ? cx::div(cx::one_like(product), product) : product};
}

/// convert_element_type: from real to complex, adds an imaginary part of zeros; from complex to real, drops the
/// imaginary part.
inline jax_values complex_convert(const site& s) {
  if (!s.out_type(0).is_complex()) return convert_element_type(s);
  const jax_value& z = s.in_parts(0);
  const value im = cx::is_real(z) ? filled(s.g, s.out_dtype(), s.out_dims(), 0) : cast(z.im(), s.out_dtype());
  return {jax_value(cast(z.re(), s.out_dtype()), im)};
}

/// pow. The exponent may be an integer, which JAX converts to the type of the base.
inline jax_values complex_power(const site& s) {
  const jax_value &base = s.in_parts(0), &exponent = s.in_parts(1);
  const auto power = [](const jax_value& a, const jax_value& b) { return cx::pow(a, b); };
  if (!cx::is_real(exponent)) return {cx::in_double(power, base, exponent)};
  const value y = cast(exponent.re(), cx::part_dtype(base));
  return {cx::in_double(power, base, cx::as_complex(jax_value(y)))};
}

/// The rows for complex operands or results; other tables have rows of the same primitives for real numbers.
inline constexpr lowering complex_elementwise_twins[] = {
    {"abs", modulus, "Mul, Add, Sqrt", parts_rule::own},
    {"acos", wide1<cx::acos>, "composed", parts_rule::own},
    {"acosh", wide1<cx::acosh>, "composed", parts_rule::own},
    {"add", complex2<cx::add>, "Add", parts_rule::own},
    {"add_any", complex2<cx::add>, "Add", parts_rule::own},
    {"asin", wide1<cx::asin>, "composed", parts_rule::own},
    {"asinh", wide1<cx::asinh>, "composed", parts_rule::own},
    {"atan", wide1<cx::atan>, "composed", parts_rule::own},
    {"atan2", wide2<cx::atan2>, "composed", parts_rule::own},
    {"atanh", wide1<cx::atanh>, "composed", parts_rule::own},
    {"clamp", complex_clamp, "LessOrEqual, Where", parts_rule::own},
    {"convert_element_type", complex_convert, "Cast", parts_rule::own},
    {"cos", complex1<cx::cos>, "Sin, Cos, Sinh, Cosh, Mul", parts_rule::own},
    {"cosh", complex1<cx::cosh>, "Sin, Cos, Sinh, Cosh, Mul", parts_rule::own},
    {"div", complex2<cx::div>, "Mul, Add, Div", parts_rule::own},
    {"eq", complex_eq, "Equal, And", parts_rule::own},
    {"exp", complex1<cx::exp>, "Exp, Sin, Cos, Mul", parts_rule::own},
    {"exp2", complex1<cx::exp2>, "Exp, Sin, Cos, Mul", parts_rule::own},
    {"expm1", wide1<cx::expm1>, "composed", parts_rule::own},
    {"integer_pow", complex_integer_pow, "Mul, Add", parts_rule::own},
    {"log", complex1<cx::log>, "Log, Atan", parts_rule::own},
    {"log2", complex1<cx::log2>, "Log, Atan, Mul", parts_rule::own},
    {"log1p", wide1<cx::log1p>, "composed", parts_rule::own},
    {"logistic", wide1<cx::logistic>, "composed", parts_rule::own},
    {"max", complex2<cx::maximum>, "Less, Equal, Where", parts_rule::own},
    {"min", complex2<cx::minimum>, "Less, Equal, Where", parts_rule::own},
    {"mul", complex2<cx::mul>, "Mul, Add, Sub", parts_rule::own},
    {"ne", complex_ne, "Equal, And, Not", parts_rule::own},
    {"neg", complex1<cx::neg>, "Neg", parts_rule::own},
    {"one_minus_square", complex1<cx::one_minus_square>, "Add, Sub, Mul", parts_rule::own},
    {"pow", complex_power, "composed", parts_rule::own},
    {"rsqrt", wide1<cx::rsqrt>, "composed", parts_rule::own},
    {"sign", complex1<cx::sign>, "Div, Where", parts_rule::own},
    {"sin", complex1<cx::sin>, "Sin, Cos, Sinh, Cosh, Mul", parts_rule::own},
    {"sinh", complex1<cx::sinh>, "Sin, Cos, Sinh, Cosh, Mul", parts_rule::own},
    {"sqrt", complex1<cx::sqrt>, "Sqrt, Where", parts_rule::own},
    {"square", complex1<cx::square>, "Mul, Add, Sub", parts_rule::own},
    {"sub", complex2<cx::sub>, "Sub", parts_rule::own},
    {"tan", complex1<cx::tan>, "composed", parts_rule::own},
    {"tanh", complex1<cx::tanh>, "composed", parts_rule::own},
};

}  // namespace jax2onnx::lower
