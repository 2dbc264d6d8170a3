// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>

#include <jax2onnx/dsl/structure/control.hpp>
#include <jax2onnx/dsl/typed/tensor.hpp>

/// The types of typed handles in control flow. A carried value keeps the type that its handle declares, so declare an
/// extent as `dyn` if it grows.
namespace jax2onnx::detail {

template <class T, extent... E>
struct control_types<tensor<T, E...>> {
  using step = tensor<std::int64_t>;
  static tensor_type carried(graph& g, const tensor<T, E...>&) { return type_of<tensor<T, E...>>(g); }
};
template <class T, extent Outer, extent... Inner>
struct control_types<tensor<T, Outer, Inner...>> {
  using step = tensor<std::int64_t>;
  using element = tensor<T, Inner...>;
  static tensor_type carried(graph& g, const tensor<T, Outer, Inner...>&) {
    return type_of<tensor<T, Outer, Inner...>>(g);
  }
};

template <class T, extent... E>
struct handle_label<tensor<T, E...>> {
  static constexpr void add_to(problem_text& text) { text.add_type(name(dtype_of<T>), tensor<T, E...>::extents); }
};

template <class T, extent... E>
inline constexpr bool may_be_condition<tensor<T, E...>> = std::same_as<T, bool> && sizeof...(E) == 0;

template <class T, extent A, extent... E, class U, extent B, extent... F>
inline constexpr bool one_length<tensor<T, A, E...>, tensor<U, B, F...>> = extent_fits(A, B);

template <class T, extent... E, class Along>
struct stacked_handle<tensor<T, E...>, Along> {
  using type = tensor<T, dyn, E...>;
};
template <class T, extent... E, class U, extent Count, extent... Rest>
struct stacked_handle<tensor<T, E...>, tensor<U, Count, Rest...>> {
  using type = tensor<T, Count, E...>;
};

}  // namespace jax2onnx::detail
