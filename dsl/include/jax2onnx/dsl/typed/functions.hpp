// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <tuple>

#include <jax2onnx/dsl/structure/functions.hpp>
#include <jax2onnx/dsl/structure/own_operators.hpp>
#include <jax2onnx/dsl/typed/tensor.hpp>
#include <jax2onnx/graph/op_name.hpp>

/// Custom operators with typed results. Functions of the model need no typed variant, since define() accepts typed
/// handles.
namespace jax2onnx {

/// The type of a result: `type<float, "batch"_d, 16>`.
template <typed T>
struct result_type {};
/// @copydoc result_type
template <class T, extent... Extents>
inline constexpr result_type<tensor<T, Extents...>> type{};

/// A node of an operator that ONNX lacks, with typed results. Returns one typed handle, or a tuple of typed handles if
/// there are several results. Names that ONNX does not allow do not compile. Throws a build_error for operands of
/// another graph, and for attributes whose names ONNX does not allow or that are given twice.
///
///     auto t = op<"com.example", "Fft">(g, {x}, {{"n", 16}}, type<float, "batch"_d, 16>);
template <detail::op_name Domain, detail::op_name Name, typed... Results>
auto op(graph& g, const operands& inputs, std::initializer_list<named_attribute> attributes,
        result_type<Results>... results) {
  constexpr std::string_view domain = Domain.view(), name = Name.view();
  static_assert(detail::is_domain(domain) && !domain.empty() && domain != "ai.onnx",
                "op: the domain is letters, digits, dots, dashes and underscores, and not ONNX's");
  static_assert(detail::is_identifier(name), "op: the name is letters, digits and underscores");
  static_assert(sizeof...(Results) > 0, "op: an operator has a result: type<float, 16>");
  (static_cast<void>(results), ...);
  const std::vector<value> made = op(g, domain, name, inputs, attributes, {type_of<Results>(g)...});
  std::span<const value> left(made);
  if constexpr (sizeof...(Results) == 1)
    return detail::bundle_from<std::tuple_element_t<0, std::tuple<Results...>>>(left);
  else return detail::bundle_from<std::tuple<Results...>>(left);
}

}  // namespace jax2onnx
