// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include <jax2onnx/lower/reduction/scan_axis.hpp>
#include <jax2onnx/lower/shape/merge_dims.hpp>
#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/ops/reduction.hpp>

/// Sums, products and extremes of integers, exact and wrapping as in JAX. ONNX Runtime accumulates ReduceSum and
/// ReduceProd of integers in double and saturates the results; its Max, Min, ReduceMax and ReduceMin compare rounded
/// 64-bit numbers.
namespace jax2onnx::lower {

inline bool is_wide_integer(const value& x) { return is_integer(x.dtype()) && significant_bits(x) > 32; }

/// The elementwise Max or Min (`op`) of a and b.
inline value extreme(operator_name op, const value& a, const value& b) {
  if (a.dtype() != dtype::i64 || !(is_wide_integer(a) || is_wide_integer(b))) return binary(op, a, b);
  return op == "Max" ? where(less(a, b), b, a) : where(less(b, a), b, a);
}

/// ReduceMax or ReduceMin (`op`) of x; for wide integers by TopK, whose comparisons are exact.
inline value reduce_to_extreme(operator_name op, const value& x, const ints& axes) {
  if (!is_wide_integer(x) || axes.empty()) return reduce(op, x, axes);
  const value flat = merge_axes_last(x, axes);
  const std::int64_t last = flat.rank() - 1;
  return squeeze(top_k(flat, 1, last, op == "ReduceMax").first, {last});
}

/// ReduceProd of x; for integers whose product may exceed 32 bits by a Scan.
inline value reduce_to_product(const value& x, const ints& axes) {
  graph& g = x.owner();
  const dim count = g.dims().product(extents_at(x.dims(), axes));
  const bool small = count.is_constant() && count.extent() < 32 && count.extent() * (significant_bits(x) - 1) < 32;
  if (!is_integer(x.dtype()) || small || axes.empty()) return reduce("ReduceProd", x, axes);
  value factors = merge_axes_first(x, axes);
  const shape element = factors.dims().tail(1);
  const value one = scalar(g, x.dtype(), 1);
  if (!count.is_constant()) {  // a first factor of 1 is prepended, since Scan needs at least one element
    shape single = factors.dims();
    single[0] = 1;
    factors = concat({factors, broadcast_to(one, single)}, 0);
  }
  const auto multiply = [](const jax_values& product, const jax_values& factor) {
    return jax_values{mul(product[0].re(), factor[0].re())};
  };
  return scan_axis(g, {broadcast_to(one, element)}, {factors}, 0, false, false, multiply).last[0].re();
}

/// The reduction of x over `axes` by ReduceSum, ReduceProd, ReduceMax or ReduceMin (`op`), exact for integers.
inline value reduce_exactly(operator_name op, const value& x, const ints& axes) {
  if (op == "ReduceSum") return exact_sum(x, axes);
  if (op == "ReduceProd") return reduce_to_product(x, axes);
  return reduce_to_extreme(op, x, axes);
}

}  // namespace jax2onnx::lower
