// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <jax2onnx/dsl/typed/tensor.hpp>
#include <jax2onnx/ops/call/operand.hpp>

/// The operands of typed verbs: typed handles, results of verbs with several outputs, numbers, lists of integers, and
/// absent operands.
namespace jax2onnx {

/// An omitted operand, to which `{}` converts.
struct absent {};

/// A list of extents or other integers that are known at compile time: axes, a shape.
template <extent... Numbers>
struct known_integers : extent_list<Numbers...> {};

/// The type of `keepdims`.
struct keepdims_tag {};
/// The reduced axes stay, with an extent of 1: `reduce_sum<1>(x, keepdims)`.
inline constexpr keepdims_tag keepdims;

/// The compile-time knowledge about an operand.
struct known_operand {
  /// The kinds of operands.
  enum class form : std::uint8_t { absent, failed, tensor, truth, integer, real, integers };
  form is = form::absent;         ///< the kind
  dtype type = dtype::undefined;  ///< the element type of a tensor
  extent_view shape = {};         ///< the extents of a tensor
  std::int64_t count = -1;        ///< the number of integers in a list; -1 if it is not known
  extent_view numbers = {};       ///< the integers in a list; empty if they are not known
};

namespace detail {

template <class A>
concept has_first_output = requires(const A& a) {
  a.first_output();
};

template <class A>
struct argument {
  static constexpr bool valid = false, is_typed = false;
};
template <class T, extent... E>
struct argument<tensor<T, E...>> {
  using handle = tensor<T, E...>;
  static constexpr bool valid = true, is_typed = true;
  static constexpr known_operand known() { return {known_operand::form::tensor, dtype_of<T>, extent_list<E...>::view}; }
};
template <has_first_output A>
struct argument<A> : argument<std::remove_cvref_t<decltype(std::declval<const A&>().first_output())>> {};
template <>
struct argument<failed_call> {
  using handle = tensor<float>;  // any handle type: a call with such an argument has failed already
  static constexpr bool valid = true, is_typed = true;
  static constexpr known_operand known() { return {known_operand::form::failed}; }
};
template <>
struct argument<absent> {
  static constexpr bool valid = true, is_typed = false;
  static constexpr known_operand known() { return {}; }
};
template <class A>
requires std::is_arithmetic_v<A>
struct argument<A> {
  static constexpr bool valid = true, is_typed = false;
  static constexpr known_operand known() {
    using enum known_operand::form;
    return {std::is_same_v<A, bool> ? truth : std::is_integral_v<A> ? integer : real};
  }
};
template <>
struct argument<ints> {
  static constexpr bool valid = true, is_typed = false;
  static constexpr known_operand known() { return {known_operand::form::integers}; }
};
template <>
struct argument<std::vector<std::int64_t>> : argument<ints> {};
template <>
struct argument<std::span<const std::int64_t>> : argument<ints> {};
template <std::size_t N>
struct argument<std::array<std::int64_t, N>> {
  static constexpr bool valid = true, is_typed = false;
  static constexpr known_operand known() {
    return {known_operand::form::integers, {}, {}, static_cast<std::int64_t>(N)};
  }
};
template <extent... Numbers>
struct argument<known_integers<Numbers...>> {
  static constexpr bool valid = true, is_typed = false;
  static constexpr known_operand known() {
    return {known_operand::form::integers, {}, {}, sizeof...(Numbers), extent_list<Numbers...>::view};
  }
};

}  // namespace detail

/// True if a typed verb accepts these operands: at least one is a typed handle, and none is an erased handle.
template <class... Operands>
concept typed_arguments = (detail::argument<Operands>::valid && ...) && (detail::argument<Operands>::is_typed || ...);

/// True if a typed verb accepts these operands and the first one is a typed handle.
template <class First, class... Rest>
concept typed_operands = detail::argument<First>::is_typed &&(detail::argument<Rest>::valid&&...);
/// True if all operands are typed handles.
template <class... Operands>
concept all_typed = (detail::argument<Operands>::is_typed && ...);

/// The value or operand that a verb on erased values gets for an argument of a typed verb.
/// @{
inline const value& as_value(const typed_handle& a) { return a.erased(); }
template <detail::has_first_output A>
const value& as_value(const A& a) {
  return as_value(a.first_output());
}
inline const value& as_operand(const typed_handle& a) { return a.erased(); }
template <detail::has_first_output A>
const value& as_operand(const A& a) {
  return as_value(a);
}
inline operand as_operand(const absent&) { return {}; }
template <class A>
requires std::is_arithmetic_v<A> operand as_operand(const A& a) { return a; }
inline operand as_operand(const ints& list) { return list; }
inline operand as_operand(const std::vector<std::int64_t>& list) { return list; }
inline operand as_operand(std::span<const std::int64_t> list) { return list; }
template <std::size_t N>
operand as_operand(const std::array<std::int64_t, N>& list) {
  return ints(list.begin(), list.end());
}
template <extent... Numbers>
operand as_operand(const known_integers<Numbers...>&) {
  return ints{Numbers.size...};
}
/// @}

}  // namespace jax2onnx
