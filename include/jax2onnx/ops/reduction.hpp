#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/opset.hpp>
#include <jax2onnx/ops/reshape.hpp>

/// Reductions and products.
namespace jax2onnx {

/// ReduceSum, ReduceMax, …: axes are an attribute before opset 18, but for ReduceSum.
inline value reduce(std::string_view op, const value& x, const ints& axes, bool keep_dims = false) {
  if (axes.empty()) return x;
  graph& g = x.owner();
  tensor_type type{x.dtype(), checked(op, infer::reduce(x.dims(), axes, keep_dims), {x})};
  const attribute keep{"keepdims", std::int64_t{keep_dims}};
  if (op == "ReduceSum" || detail::has(g, detail::feature::axes_as_input))
    return g.emit(op, {x, int64s(g, axes)}, std::move(type), {keep});
  return g.emit(op, {x}, std::move(type), {{"axes", axes}, keep});
}

/// The shape of x without `axes`.
inline shape reduced_dims(const value& x, const ints& axes) { return infer::reduce(x.dims(), axes, false).dims; }
/// Whether the reduced axes are known to have no elements.
inline bool reduces_nothing(const value& x, const ints& axes) { return is_empty(extents_at(x.dims(), axes)); }

/// ReduceMin or ReduceMax (`op`) of bool: all or any. Before opset 20 they do not take bool; after it, they leave the
/// result of empty axes undefined.
inline value reduce_truth(std::string_view op, const value& x, const ints& axes) {
  graph& g = x.owner();
  if (reduces_nothing(x, axes)) return filled(g, dtype::boolean, reduced_dims(x, axes), op == "ReduceMin");
  const bool not_empty = is_static(extents_at(x.dims(), axes));
  if (detail::has(g, detail::feature::reduced_bools) && not_empty) return reduce(op, x, axes);
  return cast(reduce(op, cast(x, dtype::u8), axes), dtype::boolean);
}

/// numpy's matmul. Sums of no terms are zeros; runtimes have been seen to leave their elements as they are.
inline value matmul(const value& a, const value& b) {
  require_same_dtype("MatMul", a, b);
  graph& g = a.owner();
  shape out = checked("MatMul", infer::matmul(a.dims(), b.dims()), {a, b});
  if (a.dims().back().is(0)) return broadcast_to(scalar(g, a.dtype(), 0), out);
  return g.emit("MatMul", {a, b}, {a.dtype(), std::move(out)});
}

/// x w + b over the last dimension of x: a Gemm where x is a matrix, else MatMul and Add.
inline value dense(const value& x, const value& w, const value& b) {
  require_same_dtype("dense", x, w);
  require_same_dtype("dense", x, b);
  shape out = checked("dense", infer::dense(x.dims(), w.dims(), b.dims()), {x, w, b});
  if (x.rank() == 2) return x.owner().emit("Gemm", {x, w, b}, {x.dtype(), std::move(out)});
  return add(x.owner().emit("MatMul", {x, w}, {x.dtype(), std::move(out)}), b);
}

/// exp(x) / sum(exp(x)) along one axis.
inline value softmax(const value& x, std::int64_t axis) {
  return x.owner().emit("Softmax", {x}, {x.dtype(), checked("Softmax", infer::along(x.dims(), axis), {x})},
                        {{"axis", axis}});
}

}  // namespace jax2onnx
