// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/dsl/typed/shapes.hpp>
#include <jax2onnx/ops/linear.hpp>
#include <jax2onnx/ops/shape.hpp>
#include <jax2onnx/ops/slice.hpp>

namespace jax2onnx::detail {

JAX2ONNX_INLINE value transposed(const value& x, std::initializer_list<std::int64_t> perm) {
  return ops::transpose(x, ints(perm));
}
JAX2ONNX_INLINE value reshaped(const value& x, std::span<const extent> to) {
  return ops::reshape(x, in_table(x.owner().dims(), to));
}
JAX2ONNX_INLINE value expanded(const value& x, std::span<const extent> to) {
  return ops::broadcast_to(x, in_table(x.owner().dims(), to));
}
JAX2ONNX_INLINE value sliced(const value& x, std::int64_t axis, const extent& start, const extent& limit,
                             std::int64_t step) {
  dim_table& known = x.owner().dims();
  return ops::slice(x, {axis < 0 ? axis + x.rank() : axis}, {in_table(known, start)}, {in_table(known, limit)}, {step});
}
JAX2ONNX_INLINE value cast_to(const value& x, dtype to) { return ops::cast(x, to); }
JAX2ONNX_INLINE value filled_with(graph& g, dtype t, const shape& dims, double number) {
  return ops::filled(g, t, dims, number);
}
JAX2ONNX_INLINE value filled_with(graph& g, dtype t, const shape& dims, std::int64_t number) {
  return ops::filled(g, t, dims, number);
}

}  // namespace jax2onnx::detail
