// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <jax2onnx/dsl/typed/typed_inference.hpp>
#include <jax2onnx/ops/call/node_builder.hpp>

/// Infers the types of results from the types of operands, or gives a readable error.
namespace jax2onnx {

/// An operator, given by the index of its newest record.
template <auto& Records, std::size_t Index>
struct operator_at {
  /// The record.
  static constexpr const op_record& record() { return Records[Index]; }
};

/// No attributes are given.
struct default_attributes {
  /// All attributes have their defaults.
  static constexpr known_attributes known() { return {}; }
};
/// Attributes that are known at run time only.
struct run_time_attributes {
  /// No attribute is known.
  static constexpr known_attributes known() { return {{}, false}; }
};
/// Attributes given as a template argument.
template <auto Attributes>
struct fixed_attributes {
  static constexpr auto list = Attributes.known();  ///< the attributes, given or not
  /// The given attributes; the others have their defaults.
  static constexpr known_attributes known() { return {list, true}; }
};

namespace detail {

template <class Call, std::size_t I, class Axes>
struct typed_output;
template <class Call, std::size_t I, std::size_t... Axis>
struct typed_output<Call, I, std::index_sequence<Axis...>> {
  using type = tensor<element_of<Call::inferred.list[I].type>, Call::extent_at(I, Axis)...>;
};

inline value erased_result(const value& v) { return v; }

/// The function that makes the handle of a result: a typed handle, or the value itself.
template <class Handle>
constexpr auto result_maker() {
  if constexpr (typed<Handle>) return &Handle::of_result;
  else return &erased_result;
}

template <class Call, std::size_t I>
constexpr auto output_type() {
  if constexpr (!Call::fits) return std::type_identity<failed_call>();
  else if constexpr (!Call::inferred.list[I].is_tensor) return std::type_identity<value>();
  else return typed_output<Call, I, std::make_index_sequence<Call::inferred.list[I].rank>>();
}

}  // namespace detail

/// One call of a verb: the types of its results, computed from the types of its operands.
template <class Operator, class Attributes, std::size_t Results, class... Operands>
struct typed_call {
  /// The compile-time knowledge about the operands and the results.
  /// @{
  static constexpr std::array<known_operand, sizeof...(Operands)> operands{detail::argument<Operands>::known()...};
  static constexpr known_results<Results> inferred =
      infer_known<Results>(Operator::record(), operands, Attributes::known());
  /// @}
  static constexpr bool fits = inferred.ok;  ///< true if the operands fit
  /// Extent `axis` of a result.
  static constexpr extent extent_at(std::size_t result, std::size_t axis) {
    const dim d = inferred.list[result].dims[axis];
    if (d.is_constant()) return d.extent();
    if (const auto e = detail::find(operands, d)) return *e;
    return d.is_dyn() ? dyn : computed_extent(Operator::record(), operands, Attributes::known(), Results, d);
  }

  /// The problem of the call; empty if an operand has already failed.
  static constexpr detail::problem_text problem() {
    return any_failed(operands) ? detail::problem_text()
                                : problem_of(Operator::record(), operands, Attributes::known(), Results);
  }

  /// The type of result I: a typed handle, or `value` if the dtype or rank is not known or the rank is above 12;
  /// failed_call if the operands do not fit.
  template <std::size_t I>
  using output = typename decltype(detail::output_type<typed_call, I>())::type;

  /// Makes the typed handle of result I from its value.
  template <std::size_t I>
  static constexpr output<I> (*result)(const value&) = detail::result_maker<output<I>>();
};

namespace detail {

/// A node with one result and without attributes, for operands of any kind.
/// @{
template <class... Operands>
value plain_node(std::string_view op, const Operands&... operands) {
  return node_builder(op, {operand(operands)...}).build();
}
value plain_node(std::string_view op, const value& x);
value plain_node(std::string_view op, const value& a, const value& b);
/// @}

}  // namespace detail

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/dsl/typed/typed_call.inl.hpp>
#endif
