// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/reduction/reducer.hpp>
#include <jax2onnx/lower/reduction/types.hpp>
#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/ops/reduction.hpp>
#include <jax2onnx/ops/shape.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers reduce_sum, reduce_prod, reduce_max, reduce_min, the bitwise reduce_and, reduce_or and reduce_xor, argmax and
/// argmin to ONNX's reductions and ArgMax, ArgMin. Source: jax/_src/lax/lax.py.
namespace jax2onnx::lower {

/// True if the number of true elements along `axes` is odd.
inline value reduce_parity(const value& x, const ints& axes) {
  if (axes.empty()) return x;
  const value count = reduce("ReduceSum", cast(x, dtype::i32), axes);
  return equal(count.owner().emit("Mod", {count, scalar(x.owner(), dtype::i32, 2)}, count.type()), 1);
}

/// Applies `Op` (ReduceMin, ReduceMax or parity) to bool, or to every bit of integers, whose bits are unpacked along a
/// new last axis.
template <op_name Op>
jax_values reduce_bits(const site& s) {
  const value x = s.in(0);
  const ints axes = s.param<ints>("axes");
  if (axes.empty()) return {x};
  if (is_empty(s.out_dims())) return {filled(s.g, x.dtype(), s.out_dims(), 0)};
  const auto reduce_one = [&](const value& truth) {
    return Op.view() == "parity" ? reduce_parity(truth, axes) : reduce_truth(Op.view(), truth, axes);
  };
  if (is_boolean(x.dtype())) return {reduce_one(x)};
  const dtype t = x.dtype();
  ints powers;
  for (int i = 0; i < bits(t); ++i) powers.push_back(static_cast<std::int64_t>(std::uint64_t{1} << i));
  const value masks = array(s.g, t, {bits(t)}, std::span<const std::int64_t>(powers));
  const value digits = cast(bit_and(unsqueeze(x, {x.rank()}), masks), dtype::boolean);
  return {matmul(cast(reduce_one(digits), t), masks)};
}

/// x reduced over `axes`. Without elements, the result is the identity element, since ONNX leaves this case undefined.
inline value reduce_or_identity(reducer k, const value& x, const ints& axes) {
  const operator_name op = names_of(k).reduction;
  if (is_boolean(x.dtype())) return reduce_truth(op, x, axes);
  if (reduces_nothing(x, axes)) return broadcast_to(identity_element(x.owner(), k, x.dtype()), reduced_dims(x, axes));
  return reduce_exactly(op, x, axes);
}
template <reducer Kind>
jax_values reduce_axes(const site& s) {
  return {reduce_or_identity(Kind, s.in(0), s.param<ints>("axes"))};
}

/// ArgMax or ArgMin (`op`): the int64 index of the first extreme element.
inline value arg_extreme(operator_name op, const value& x, std::int64_t axis) {
  return x.owner().emit(op, {x}, {dtype::i64, reduced_dims(x, {axis})},
                        {{"axis", axis}, {"keepdims", std::int64_t{0}}});
}

/// argmax or argmin: the index of the first NaN if there is one, otherwise of the first extreme element. With
/// assume_finite, NaN is not searched for.
template <op_name Op>
jax_values arg_reduce(const site& s) {
  const ints axes = s.param<ints>("axes");
  if (axes.size() != 1) s.unsupported(detail::message("it reduces {} ax{is|es} instead of 1", axes.size()));
  const value x = at_least_float(s.in(0));
  value index = arg_extreme(Op.view(), x, axes[0]);
  if (is_floating(x.dtype()) && !s.assume_finite()) {
    const value nan = is_nan(x);
    const value first_nan = arg_extreme("ArgMax", cast(nan, dtype::u8), axes[0]);
    index = where(reduce_truth("ReduceMax", nan, axes), first_nan, index);
  }
  return {cast(index, s.out_dtype())};
}

inline constexpr lowering reduce_rows[] = {
    {"argmax", arg_reduce<"ArgMax">, "ArgMax; floats also IsNaN, ReduceMax, Where",
     signature{1, 1, arg_reduce_types, {{"axes", param_form::axes}, {"index_dtype", param_form::element}}},
     ignores{"index_dtype"}},
    {"argmin", arg_reduce<"ArgMin">, "ArgMin; floats also IsNaN, ReduceMax, Where",
     signature{1, 1, arg_reduce_types, {{"axes", param_form::axes}, {"index_dtype", param_form::element}}},
     ignores{"index_dtype"}},
    {"reduce_and", reduce_bits<"ReduceMin">, "bitwise: ReduceMin of single bits, MatMul",
     signature{1, 1, reduce_types<kinds::bits>, {{"axes", param_form::axes}}}, ignores{"out_sharding"}},
    {"reduce_max", reduce_axes<reducer::maximum>, "ReduceMax; 64-bit integers TopK",
     signature{1, 1, reduce_types<kinds::data>, {{"axes", param_form::axes}}}, ignores{"out_sharding"}},
    {"reduce_min", reduce_axes<reducer::minimum>, "ReduceMin; 64-bit integers TopK",
     signature{1, 1, reduce_types<kinds::data>, {{"axes", param_form::axes}}}, ignores{"out_sharding"}},
    {"reduce_or", reduce_bits<"ReduceMax">, "bitwise: ReduceMax of single bits, MatMul",
     signature{1, 1, reduce_types<kinds::bits>, {{"axes", param_form::axes}}}, ignores{"out_sharding"}},
    {"reduce_prod", reduce_axes<reducer::product>, "ReduceProd; integers Scan",
     signature{1, 1, reduce_types<kinds::data>, {{"axes", param_form::axes}}}, ignores{"out_sharding"}},
    {"reduce_sum", reduce_axes<reducer::sum>, "ReduceSum",
     signature{1, 1, reduce_types<kinds::data>, {{"axes", param_form::axes}}}, parts_rule::each,
     ignores{"out_sharding"}},
    {"reduce_xor", reduce_bits<"parity">, "bitwise: ReduceSum of single bits, Mod, MatMul",
     signature{1, 1, reduce_types<kinds::bits>, {{"axes", param_form::axes}}}, ignores{"out_sharding"}},
};

}  // namespace jax2onnx::lower
