#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include <jax2onnx/ops/call/node_builder.hpp>

/// C++'s operators on erased values, with numbers on either side: `1.0 - x`, `x > 0`. Operands broadcast. What does not
/// fit throws a build_error: a number meets tensors of its own kind only, so `ints * 0.5` throws. `a == b` and `!a` ask
/// whether handles are the same and whether one is absent: use equal() and not_().
namespace jax2onnx {

/// A value with a value or a number.
template <class A, class B>
concept erased_operands = (std::same_as<A, value> && (std::same_as<B, value> || std::is_arithmetic_v<B>)) ||
                          (std::is_arithmetic_v<A> && std::same_as<B, value>);

#define JAX2ONNX_OPERATOR(symbol, onnx)                                          \
  template <class A, class B>                                                    \
  requires erased_operands<A, B> value operator symbol(const A& a, const B& b) { \
    return node_builder(onnx, {a, b}).build();                                   \
  }
/// Arithmetic.
/// @{
JAX2ONNX_OPERATOR(+, "Add")
JAX2ONNX_OPERATOR(-, "Sub")
JAX2ONNX_OPERATOR(*, "Mul")
JAX2ONNX_OPERATOR(/, "Div")
/// @}
/// Comparisons, elementwise.
/// @{
JAX2ONNX_OPERATOR(<, "Less")
JAX2ONNX_OPERATOR(<=, "LessOrEqual")
JAX2ONNX_OPERATOR(>, "Greater")
JAX2ONNX_OPERATOR(>=, "GreaterOrEqual")
/// @}
#undef JAX2ONNX_OPERATOR

/// The remainder: of integers with the sign of b, of floats with that of a (Mod).
template <class B>
requires erased_operands<value, B> value operator%(const value& a, const B& b) {
  node_builder n("Mod", {a, b});
  n.set("fmod", is_floating(a.dtype()), false);
  return n.build();
}

/// -a.
inline value operator-(const value& a) { return node_builder("Neg", {a}).build(); }

}  // namespace jax2onnx
