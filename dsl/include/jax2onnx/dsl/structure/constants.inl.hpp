// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>

#include <jax2onnx/dsl/structure/constants.hpp>
#include <jax2onnx/support/config.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE value array(graph& g, dtype t, const ints& extents, std::initializer_list<double> numbers) {
  return array(g, t, extents, std::span<const double>(numbers.begin(), numbers.size()));
}
JAX2ONNX_INLINE tensor_constant tensor_of(dtype t, const ints& extents, std::initializer_list<double> numbers) {
  graph scratch;
  const value made = array(scratch, t, extents, numbers);
  return {made.type(), made.data()};
}

}  // namespace jax2onnx
