// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include <jax2onnx/dsl/typed/tensor.hpp>

/// Returns whether an expression has the static type tensor<T, E...>, and a type in the graph that fits.
template <class T, jax2onnx::extent... E, class Actual>
bool has_type(const Actual& actual) {
  if constexpr (!std::is_same_v<Actual, jax2onnx::tensor<T, E...>>) return false;
  else return jax2onnx::type_of<jax2onnx::tensor<T, E...>>(actual.erased().owner()).type == actual.erased().dtype();
}
