#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/operators/opset.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/operators/views/producer.hpp>
#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/shape.hpp>

/// Reductions, and the softmax.
namespace jax2onnx::ops {

/// x reduced over `axes` by ReduceSum, ReduceMax, … (`op`); without axes, x itself. The axes are an operand in some
/// opsets, an attribute in others. Throws a build_error for an axis out of range.
inline value reduce(operator_name op, const value& x, const ints& axes, bool keep_dims = false) {
  if (axes.empty()) return x;
  graph& g = x.owner();
  tensor_type type{x.dtype(), detail::checked(op, infer::reduce(x.dims(), axes, keep_dims), {x})};
  const attribute keep{"keepdims", std::int64_t{keep_dims}};
  if (const op_record* record = find_record(op, g.opset()); record && record->inputs.size() > 1)
    return g.emit(op, {x, int64s(g, axes)}, std::move(type), {keep});
  return g.emit(op, {x}, std::move(type), {{"axes", axes}, keep});
}

/// The shape of x without `axes`.
inline shape reduced_dims(const value& x, const ints& axes) { return infer::reduce(x.dims(), axes, false).dims; }
/// Returns whether the reduced axes are known to have no elements.
inline bool reduces_nothing(const value& x, const ints& axes) { return is_empty(extents_at(x.dims(), axes)); }

/// ReduceMin or ReduceMax (`op`) of bool: all or any. Before opset 20 they do not accept bool; from it on, they leave
/// the result of empty axes undefined.
inline value reduce_truth(operator_name op, const value& x, const ints& axes) {
  if (axes.empty()) return x;
  graph& g = x.owner();
  if (reduces_nothing(x, axes)) return filled(g, dtype::boolean, reduced_dims(x, axes), op == "ReduceMin");
  const bool not_empty = is_static(extents_at(x.dims(), axes));
  if (detail::has(g, detail::feature::reduced_bools) && not_empty) return reduce(op, x, axes);
  return cast(reduce(op, cast(x, dtype::u8), axes), dtype::boolean);
}

/// exp(x) / sum(exp(x)) along one axis (Softmax, opset 13).
inline value softmax(const value& x, std::int64_t axis) {
  return x.owner().emit("Softmax", {x}, {x.dtype(), detail::checked("Softmax", infer::along(x.dims(), axis), {x})},
                        {{"axis", axis}});
}

// Sums of integers wrap as in JAX; ONNX Runtime accumulates ReduceSum of integers in double and saturates.

/// The number of bits, sign included, that the elements of x need: fewer than those of its type if it is a widening
/// Cast.
inline int significant_bits(const value& x) {
  const auto own = [](dtype t) { return is_boolean(t) ? 2 : bits(t) + (is_signed_integer(t) ? 0 : 1); };
  if (!operators::producer(x, "Cast")) return own(x.dtype());
  const dtype from = operators::input_of(x, 0).dtype();
  return is_floating(from) ? own(x.dtype()) : std::min(own(from), own(x.dtype()));
}

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// x modulo 2^32, not negative; the bitwise operators need opset 18.
inline value low_half(const value& x) {
  if (has(x.owner(), feature::bitwise)) return bit_and(x, scalar(x.owner(), x.dtype(), (std::int64_t{1} << 32) - 1));
  return x.owner().emit("Mod", {x, scalar(x.owner(), x.dtype(), std::int64_t{1} << 32)}, x.type());
}

/// True if sums of the integers x over the axes fit in 32 bits. If an extent is symbolic, there are taken to be at most
/// 2^16 elements.
inline bool fits_in_32_bits(const value& x, const ints& axes) {
  const int needed = ops::significant_bits(x);
  if (needed > 16) return false;
  const dim count = x.owner().dims().product(extents_at(x.dims(), axes));
  return !count.is_constant() || count.extent() <= std::int64_t{1} << (32 - needed);
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// True if `exact_sum` sums the 64-bit integers x by halves.
inline bool sums_by_halves(const value& x) {
  return is_integer(x.dtype()) && bits(x.dtype()) == 64 && significant_bits(x) > 33;
}

/// ReduceSum. 64-bit integers are summed by halves, whose sums are exact in double for up to 2^21 elements.
inline value exact_sum(const value& x, const ints& axes) {
  const dtype t = x.dtype();
  const auto sum = [&](const value& v) { return reduce("ReduceSum", v, axes); };
  if (!is_integer(t) || axes.empty()) return sum(x);
  if (t == dtype::i32) return detail::fits_in_32_bits(x, axes) ? sum(x) : cast(sum(cast(x, dtype::i64)), t);
  if (!sums_by_halves(x)) return sum(x);
  const value half = scalar(x.owner(), t, std::int64_t{1} << 32), low = detail::low_half(x);
  return add(mul(sum(div(sub(x, low), half)), half), sum(low));
}

}  // namespace jax2onnx::ops
