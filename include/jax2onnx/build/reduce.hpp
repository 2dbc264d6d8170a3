#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <jax2onnx/build/checked.hpp>
#include <jax2onnx/build/constants.hpp>

/// Reductions and products.
namespace jax2onnx {

/// ReduceSum, ReduceMax, …: axes are an attribute before opset 18, but for ReduceSum.
inline value reduce(std::string_view op, const value& x, const ints& axes, bool keep_dims = false) {
  if (axes.empty()) return x;
  graph& g = x.owner();
  tensor_type type{x.dtype(), checked(op, infer::reduce(x.dims(), axes, keep_dims), {x})};
  const attribute keep{"keepdims", std::int64_t{keep_dims}};
  if (op == "ReduceSum" || g.opset() >= 18) return g.emit(op, {x, int64s(g, axes)}, std::move(type), {keep});
  return g.emit(op, {x}, std::move(type), {{"axes", axes}, keep});
}

/// numpy's matmul of operands of rank 2 or more.
inline value matmul(const value& a, const value& b) {
  require_same_dtype("MatMul", a, b);
  return a.owner().emit("MatMul", {a, b}, {a.dtype(), checked("MatMul", infer::matmul(a.dims(), b.dims()), {a, b})});
}

}  // namespace jax2onnx
