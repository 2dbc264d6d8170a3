#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <jax2onnx/dsl/typed/typed_inference.hpp>
#include <jax2onnx/ops/call/node_builder.hpp>

/// From the types of operands to the types of results, or to a readable error.
namespace jax2onnx {

/// The record of an operator: its newest form, or one that simplifies nothing.
template <auto& Records, std::size_t Index>
struct operator_at {
  /// The record.
  static constexpr const op_record& record() { return Records[Index]; }
};

/// No attribute is given.
struct default_attributes {
  /// All have their defaults.
  static constexpr known_attributes known() { return {}; }
};
/// Attributes that only the running program knows.
struct run_time_attributes {
  /// None is known.
  static constexpr known_attributes known() { return {{}, false}; }
};
/// Attributes that are a template argument.
template <auto Attributes>
struct fixed_attributes {
  static constexpr auto list = Attributes.known();  ///< each of them
  /// Those of the argument; the others have their defaults.
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

/// What makes the handle of a result: a typed one, or the value itself.
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

/// One call of a verb: what the compiler makes of the types of its operands.
template <class Operator, class Attributes, std::size_t Results, class... Operands>
struct typed_call {
  /// What the compiler knows of the operands, and of the results.
  /// @{
  static constexpr std::array<known_operand, sizeof...(Operands)> operands{detail::argument<Operands>::known()...};
  static constexpr known_results<Results> inferred =
      infer_known<Results>(Operator::record(), operands, Attributes::known());
  /// @}
  static constexpr bool fits = inferred.ok;  ///< whether the operands fit
  /// An extent of a result.
  static constexpr extent extent_at(std::size_t result, std::size_t axis) {
    const dim d = inferred.list[result].dims[axis];
    if (d.is_constant()) return d.extent();
    if (const auto e = detail::find(operands, d)) return *e;
    return d.is_dyn() ? dyn : computed_extent(Operator::record(), operands, Attributes::known(), Results, d);
  }

  /// What is wrong; empty if that is an operand's fault.
  static constexpr detail::problem_text problem() {
    return any_failed(operands) ? detail::problem_text()
                                : problem_of(Operator::record(), operands, Attributes::known(), Results);
  }

  /// The type of result I: a tensor, or an erased value where not even the rank is known.
  template <std::size_t I>
  using output = typename decltype(detail::output_type<typed_call, I>())::type;

  /// The typed handle of result I, a function of its value.
  template <std::size_t I>
  static constexpr output<I> (*result)(const value&) = detail::result_maker<output<I>>();
};

namespace detail {

/// A node without attributes and with one result, whatever its operands are.
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
