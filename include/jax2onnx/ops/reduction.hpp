// SPDX-License-Identifier: Apache-2.0
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
#include <jax2onnx/ops/slice.hpp>

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

/// ReduceMin or ReduceMax (`op`) of bool: all or any. Before opset 20, the operators do not accept bool; from opset 20
/// on, they leave the result of empty axes undefined.
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

// Sums of integers wrap as in JAX. ONNX Runtime accumulates ReduceSum of integers in double and saturates. All sums of
// at most 2^21 elements are exact in double if 64-bit integers are summed by halves. Symbolic extents are treated as
// small.

/// The number of bits, sign included, that the elements of x need. It is less than the width of x's type if x is a
/// widening Cast that keeps all numbers: one from a signed to an unsigned type wraps.
inline int significant_bits(const value& x) {
  const auto own = [](dtype t) { return is_boolean(t) ? 2 : bits(t) + (is_signed_integer(t) ? 0 : 1); };
  if (!operators::producer(x, "Cast")) return own(x.dtype());
  const dtype from = operators::input_of(x, 0).dtype();
  const bool wraps = is_signed_integer(from) && !is_signed_integer(x.dtype());
  return is_floating(from) || wraps ? own(x.dtype()) : std::min(own(from), own(x.dtype()));
}

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// x modulo 2^32, from 0 to 2^32 - 1. The bitwise operators need opset 18.
inline value low_half(const value& x) {
  if (has(x.owner(), feature::bitwise)) return bit_and(x, scalar(x.owner(), x.dtype(), (std::int64_t{1} << 32) - 1));
  return x.owner().emit("Mod", {x, scalar(x.owner(), x.dtype(), std::int64_t{1} << 32)}, x.type());
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// The sum of at most this many 32-bit integers is always exact in double.
inline constexpr std::int64_t most_summed = std::int64_t{1} << 21;

/// Returns whether a ReduceSum of `count` integers of type t is exact if each integer needs `bits_of_each` bits, at
/// most 33. ReduceSum adds types of less than 32 bits in int32.
inline bool is_exact_sum(dtype t, int bits_of_each, dim count) {
  const bool is_narrow = bits_of_each <= 16;
  if (t == dtype::u32 || bits(t) == 64) return is_narrow || !count.is_constant() || count.extent() <= most_summed;
  const std::int64_t most = bits_of_each < 32 ? (std::int64_t{1} << (32 - bits_of_each)) - 1 : 0;
  return count.is_constant() ? count.extent() <= most : bits_of_each <= 2;
}

/// True if `exact_sum` sums the 64-bit integers x by halves.
inline bool sums_by_halves(const value& x) {
  return is_integer(x.dtype()) && bits(x.dtype()) == 64 && significant_bits(x) > 33;
}

/// ReduceSum of integers that need `bits_of_each` bits each; exact for at most 2^21 elements.
inline value sum_of_few(const value& x, const ints& axes, int bits_of_each) {
  const dtype t = x.dtype();
  const auto sum = [&](const value& v) { return reduce("ReduceSum", v, axes); };
  if (bits(t) < 32 || t == dtype::i32) {
    const dim count = x.owner().dims().product(extents_at(x.dims(), axes));
    return is_exact_sum(t, bits_of_each, count) ? sum(x) : cast(sum(cast(x, dtype::i64)), t);
  }
  if (bits(t) < 64 || bits_of_each <= 33) return sum(x);
  const value half = scalar(x.owner(), t, std::int64_t{1} << 32), low = detail::low_half(x);
  return add(mul(sum(div(sub(x, low), half)), half), sum(low));
}

/// ReduceSum of integers. Up to 2^31 elements are divided into parts whose sums are exact in double.
inline value exact_sum(const value& x, const ints& axes, int bits_of_each) {
  constexpr std::int64_t most_parts = 1024;
  const shape extents = extents_at(x.dims(), axes);
  const dim count = x.owner().dims().product(extents);
  if (bits_of_each <= 16 || !count.is_constant() || count.extent() <= most_summed ||
      count.extent() > most_summed * most_parts)
    return sum_of_few(x, axes, bits_of_each);
  std::size_t longest = 0;
  for (std::size_t i = 1; i < extents.size(); ++i)
    if (extents[i].extent() > extents[longest].extent()) longest = i;
  const std::int64_t n = extents[longest].extent();
  const value first = exact_sum(slice(x, axes[longest], 0, n / 2), axes, bits_of_each);
  return add(first, exact_sum(slice(x, axes[longest], n / 2, n), axes, bits_of_each));
}
/// ReduceSum; for integers, the sum is exact for all numbers of significant_bits(x) bits.
inline value exact_sum(const value& x, const ints& axes) {
  const bool wraps = is_integer(x.dtype()) && !axes.empty();
  return wraps ? exact_sum(x, axes, significant_bits(x)) : reduce("ReduceSum", x, axes);
}

}  // namespace jax2onnx::ops
