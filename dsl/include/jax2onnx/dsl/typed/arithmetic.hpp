// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/dsl/typed/verbs/elementwise.hpp>

/// C++ operators on typed handles, with numbers on either side: `1.0 - x`, `x > 0`, `a && b`. Operands broadcast. A
/// number must fit the other operand: integers take no fractions, and bools combine with bools only.
namespace jax2onnx {

// `refused` is an argument so that Clang's messages do not show the expansion of the macro.
#define JAX2ONNX_OPERATOR(symbol, verb, onnx, refused)                                                                 \
  template <class A, class B>                                                                                          \
  requires typed_arguments<A, B>                                                                                       \
  auto operator symbol(const A& a, const B& b) {                                                                       \
    using call = typed_call<typed_operators::verb, default_attributes, 1, A, B>;                                       \
    if constexpr (call::fits) return call::template result<0>(detail::plain_node(onnx, as_operand(a), as_operand(b))); \
    else return typename refused::result();                                                                            \
  }

/// Arithmetic.
/// @{
JAX2ONNX_OPERATOR(+, add, "Add", refusal<call>)
JAX2ONNX_OPERATOR(-, sub, "Sub", refusal<call>)
JAX2ONNX_OPERATOR(*, mul, "Mul", refusal<call>)
JAX2ONNX_OPERATOR(/, div, "Div", refusal<call>)
/// @}
/// Comparisons, elementwise.
/// @{
JAX2ONNX_OPERATOR(<, less, "Less", refusal<call>)
JAX2ONNX_OPERATOR(<=, less_or_equal, "LessOrEqual", refusal<call>)
JAX2ONNX_OPERATOR(>, greater, "Greater", refusal<call>)
JAX2ONNX_OPERATOR(>=, greater_or_equal, "GreaterOrEqual", refusal<call>)
JAX2ONNX_OPERATOR(==, equal, "Equal", refusal<call>)
/// @}
/// Logic; both operands are always evaluated.
/// @{
JAX2ONNX_OPERATOR(&&, and_, "And", refusal<call>)
JAX2ONNX_OPERATOR(||, or_, "Or", refusal<call>)
/// @}
/// Bits of integers.
/// @{
JAX2ONNX_OPERATOR(&, bitwise_and, "BitwiseAnd", refusal<call>)
JAX2ONNX_OPERATOR(|, bitwise_or, "BitwiseOr", refusal<call>)
JAX2ONNX_OPERATOR(^, bitwise_xor, "BitwiseXor", refusal<call>)
/// @}
#undef JAX2ONNX_OPERATOR

/// The remainder (Mod), with the sign of b for integers and the sign of a for floats.
template <class A, class B>
requires typed_operands<A, B>
auto operator%(const A& a, const B& b) {
  constexpr bool fmod = is_floating(detail::argument<A>::known().type);
  using call = typed_call<typed_operators::mod, fixed_attributes<mod_attributes_of{.fmod = fmod}>, 1, A, B>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::mod(as_value(a), as_operand(b), {.fmod = fmod}));
  else return typename refusal<call>::result();
}

#define JAX2ONNX_OPERATOR(symbol, verb, onnx, refused)                                                  \
  template <class A>                                                                                    \
  requires typed_operands<A>                                                                            \
  auto operator symbol(const A& a) {                                                                    \
    using call = typed_call<typed_operators::verb, default_attributes, 1, A>;                           \
    if constexpr (call::fits) return call::template result<0>(detail::plain_node(onnx, as_operand(a))); \
    else return typename refused::result();                                                             \
  }
/// -a, not a, and the complement of all bits.
/// @{
JAX2ONNX_OPERATOR(-, neg, "Neg", refusal<call>)
JAX2ONNX_OPERATOR(!, not_, "Not", refusal<call>)
JAX2ONNX_OPERATOR(~, bitwise_not, "BitwiseNot", refusal<call>)
/// @}
#undef JAX2ONNX_OPERATOR

/// a != b becomes the operators Equal and Not.
template <class A, class B>
requires typed_arguments<A, B>
auto operator!=(const A& a, const B& b) { return !(a == b); }

}  // namespace jax2onnx
