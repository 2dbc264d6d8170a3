// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include <jax2onnx/ops/call/node_builder.hpp>

/// C++ operators on erased values, with typed handles or numbers on either side: `1.0 - x`, `x == 0`. Operands
/// broadcast; the result is erased. Operands that do not fit throw a build_error. The dtype of the other operand must
/// be able to hold a number, so `ints * 0.5` throws.
namespace jax2onnx {

/// The result of a C++ operator. It is a value that does not convert to bool, so `if (x == y)` does not compile.
struct elementwise_result : value {
  /// The result of a verb.
  elementwise_result(const value& v) : value(v) {}
  explicit operator bool() const = delete;
};

namespace detail {

template <class A>
inline constexpr bool is_erased = std::is_base_of_v<value, A>;
/// A typed handle. The concept recognizes it without its header, which programs of erased handles need not include.
template <class A>
concept has_erased = requires(const A& a) {
  { a.erased() } -> std::same_as<const value&>;
};
/// The results of a verb, which convert to the first result.
template <class A>
concept has_first = std::convertible_to<const A&, const value&>;
template <class A>
inline constexpr bool joins_erased = is_erased<A> || has_erased<A> || has_first<A> || std::is_arithmetic_v<A>;

/// One node without attributes.
/// @{
value erased_node(std::string_view op, const operand& a);
value erased_node(std::string_view op, const operand& a, const operand& b);
/// @}
/// Mod: the result has the sign of the divisor for integers, and the sign of the dividend for floats.
value erased_remainder(const operand& a, const operand& b);

}  // namespace detail

/// Holds for two operands if one of them is an erased value, and the other one is any handle or a number.
template <class A, class B>
concept erased_operands = (detail::is_erased<A> ||
                           detail::is_erased<B>)&&detail::joins_erased<A>&& detail::joins_erased<B>;
/// Holds for erased values.
template <class A>
concept erased_operand = detail::is_erased<A>;

#define JAX2ONNX_OPERATOR(symbol, onnx)                                                       \
  template <class A, class B>                                                                 \
  requires erased_operands<A, B> elementwise_result operator symbol(const A& a, const B& b) { \
    return detail::erased_node(onnx, a, b);                                                   \
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
JAX2ONNX_OPERATOR(==, "Equal")
/// @}
/// Bitwise operators on integers.
/// @{
JAX2ONNX_OPERATOR(&, "BitwiseAnd")
JAX2ONNX_OPERATOR(|, "BitwiseOr")
JAX2ONNX_OPERATOR(^, "BitwiseXor")
/// @}
#undef JAX2ONNX_OPERATOR

/// The remainder (Mod). It has the sign of b for integers, and the sign of a for floats.
template <class A, class B>
requires erased_operands<A, B> elementwise_result operator%(const A& a, const B& b) {
  return detail::erased_remainder(a, b);
}

/// a != b becomes the operators Equal and Not.
template <class A, class B>
requires erased_operands<A, B> elementwise_result operator!=(const A& a, const B& b) {
  return detail::erased_node("Not", a == b);
}

/// -a, and the complement of all bits. `!a` and `a && b` test whether handles are absent or present; for elements, see
/// not_() and and_().
/// @{
inline elementwise_result operator-(const value& a) { return detail::erased_node("Neg", a); }
inline elementwise_result operator~(const value& a) { return detail::erased_node("BitwiseNot", a); }
/// @}

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/ops/call/operators.inl.hpp>
#endif
