#pragma once

#include <algorithm>
#include <cstdint>

#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/reduction.hpp>

/// Sums of integers that wrap as in JAX. ONNX Runtime accumulates ReduceSum of integers in double and saturates.
namespace jax2onnx {

/// The number of bits, including a sign, that the elements of x need: fewer than those of its type after a widening
/// Cast.
inline int significant_bits(const value& x) {
  const graph& g = x.owner();
  const auto own = [](dtype t) { return is_boolean(t) ? 2 : bits(t) + (is_signed_integer(t) ? 0 : 1); };
  const value_record& r = g.at(x.id());
  if (r.producer == node_id::none || g.at(r.producer).op != "Cast") return own(x.dtype());
  const dtype from = g.at(g.at(r.producer).inputs[0]).type.type;
  return is_floating(from) ? own(x.dtype()) : std::min(own(from), own(x.dtype()));
}

/// ReduceSum. Without the bitwise operators (opset 18), 64-bit integers are summed as they are; else 64-bit integers
/// are summed by halves, whose sums are exact in double for up to 2^21 elements.
inline value exact_sum(const value& x, const ints& axes) {
  const dtype t = x.dtype();
  const auto sum = [&](const value& v) { return reduce("ReduceSum", v, axes); };
  if (!is_integer(t) || axes.empty()) return sum(x);
  if (t == dtype::i32) return significant_bits(x) <= 16 ? sum(x) : cast(sum(cast(x, dtype::i64)), t);
  if (bits(t) < 64 || significant_bits(x) <= 33 || !detail::has(x.owner(), detail::feature::bitwise)) return sum(x);
  const value half = scalar(x.owner(), t, std::int64_t{1} << 32);
  const value low = bit_and(x, scalar(x.owner(), t, (std::int64_t{1} << 32) - 1));
  return add(mul(sum(div(sub(x, low), half)), half), sum(low));
}

}  // namespace jax2onnx
