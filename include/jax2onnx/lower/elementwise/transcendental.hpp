// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/ops/math.hpp>
#include <jax2onnx/ops/trigonometry.hpp>

/// Lowers the exponential, logarithmic, trigonometric and hyperbolic functions of jax.lax on real numbers to the ONNX
/// operators of the same names. Functions that ONNX lacks, and functions of double for which runtimes lack a kernel,
/// are composed of other operators.
namespace jax2onnx::lower {

/// 2^x. JAX computes exp(x log 2) and rounds the product to the type of x; narrow types need the same rounding.
inline jax_values power_of_two(const site& s) {
  constexpr double log2 = 0.693147180559945309;
  const value x = s.in(0);
  return {bits(x.dtype()) < 32 ? exp(mul(x, log2)) : exp2(x)};
}

/// log2(x) = log(x) (1 / log 2), in this order of rounding.
inline constexpr double per_log_2 = 1.4426950408889634;
inline jax_values base_two_logarithm(const site& s) { return {mul(log(s.in(0)), per_log_2)}; }

inline constexpr lowering transcendental_rows[] = {
    {"acos", real1<accurate::acos>, "Acos; double: Sqrt, Atan, Sin, Cos", inexact_unary},
    {"acosh", real1<accurate::acosh>, "Acosh; double: Log, Sqrt", inexact_unary},
    {"asin", real1<accurate::asin>, "Asin; double: Sqrt, Atan, Sin, Cos", inexact_unary},
    {"asinh", real1<accurate::asinh>, "Asinh; double: Log, Sqrt", inexact_unary},
    {"atan", real1<accurate::atan>, "Atan; double: Atan, Sin, Cos", inexact_unary},
    {"atan2", real2<accurate::atan2>, "Div, Atan, Where", signature{2, 1, same_elements<kinds::inexact>}},
    {"atanh", real1<accurate::atanh>, "Atanh; double: Log", inexact_unary},
    {"cos", map1<"Cos">, "Cos", inexact_unary, ignores{"accuracy"}},
    {"cosh", real1<accurate::cosh>, "Cosh; double: Exp", inexact_unary},
    {"exp", map1<"Exp">, "Exp", inexact_unary, ignores{"accuracy"}},
    {"exp2", power_of_two, "Pow", inexact_unary, ignores{"accuracy"}},
    {"expm1", real1<expm1>, "Exp, Tanh", inexact_unary, ignores{"accuracy"}},
    {"log", map1<"Log">, "Log", inexact_unary, ignores{"accuracy"}},
    {"log1p", real1<log1p>, "Log, Where", inexact_unary, ignores{"accuracy"}},
    {"log2", base_two_logarithm, "Log, Mul", inexact_unary, ignores{"accuracy"}},
    {"logistic", map1<"Sigmoid">, "Sigmoid", inexact_unary, ignores{"accuracy"}},
    {"sin", map1<"Sin">, "Sin", inexact_unary, ignores{"accuracy"}},
    {"sinh", real1<accurate::sinh>, "Sinh; double: Tanh, Exp", inexact_unary},
    {"tan", real1<accurate::tan>, "Tan; double: Sin, Cos, Div", inexact_unary, ignores{"accuracy"}},
    {"tanh", map1<"Tanh">, "Tanh", inexact_unary, ignores{"accuracy"}},
};

}  // namespace jax2onnx::lower
