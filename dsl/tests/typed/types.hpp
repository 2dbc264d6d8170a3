#pragma once

#include <type_traits>

#include <jax2onnx/dsl/typed/tensor.hpp>

/// Whether the compiler has given an expression the type tensor<T, E...>, and the graph a type that fits.
template <class T, jax2onnx::extent... E, class Actual>
bool has_type(const Actual& actual) {
  if constexpr (!std::is_same_v<Actual, jax2onnx::tensor<T, E...>>) return false;
  else return jax2onnx::type_of<jax2onnx::tensor<T, E...>>(actual.erased().owner()).type == actual.erased().dtype();
}
