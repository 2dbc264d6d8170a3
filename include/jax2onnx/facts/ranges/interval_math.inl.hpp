// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx {

/// True if `d` has few terms and small coefficients, so that sums and products of two such expressions cannot overflow.
JAX2ONNX_INLINE bool interval_math::is_simple(dim d) const {
  constexpr std::size_t most_terms = 4;
  constexpr std::int64_t largest = std::int64_t{1} << 30;
  if (d.is_dyn()) return false;
  if (d.is_constant()) return d.extent() > -largest && d.extent() < largest;
  const dim_table::polynomial p = dims_.terms(d);
  return p.size() <= most_terms && item_loops::all_of(p, [](const dim_table::term& t) {
           return t.coefficient > -largest && t.coefficient < largest && t.key.size() <= most_terms;
         });
}

JAX2ONNX_INLINE bool interval_math::at_most(dim a, dim b) const {
  if (a.is_dyn() || b.is_dyn()) return false;
  if (a.is_constant() && b.is_constant()) return a.extent() <= b.extent();
  return a == b || (are_simple(a, b) && dims_.known_nonnegative(dims_.sub(b, a)));
}

JAX2ONNX_INLINE std::optional<interval> interval_math::intersection(const interval& a, const interval& b) const {
  if (disjoint(a, b)) return std::nullopt;
  return interval{better_low(a.low, b.low), better_high(a.high, b.high)};
}

JAX2ONNX_INLINE dim interval_math::plus(dim a, dim b) const {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (a.is_constant() && b.is_constant()) return detail::as_bound(a.extent() + b.extent());
  return are_simple(a, b) ? dims_.add(a, b) : dim::dyn();
}
JAX2ONNX_INLINE dim interval_math::minus(dim a, dim b) const {
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  if (a.is_constant() && b.is_constant()) return detail::as_bound(a.extent() - b.extent());
  return are_simple(a, b) ? dims_.sub(a, b) : dim::dyn();
}
JAX2ONNX_INLINE dim interval_math::times(dim a, dim b) const {
  if (a.is(0) || b.is(0)) return 0;
  if (a.is_dyn() || b.is_dyn()) return dim::dyn();
  std::int64_t product = 0;
  if (a.is_constant() && b.is_constant())
    return detail::mul_overflows(a.extent(), b.extent(), product) ? dim::dyn() : detail::as_bound(product);
  return are_simple(a, b) ? dims_.mul(a, b) : dim::dyn();
}

JAX2ONNX_INLINE interval interval_math::wrapped(const interval& r, dtype t) const {
  const interval all = values_of(t);
  const auto fits = [&](dim end) { return end.is_symbolic() && bits(t) >= 32 && is_signed_integer(t); };
  const bool low_fits = all.low.is_dyn() || at_most(all.low, r.low) || fits(r.low);
  const bool high_fits = all.high.is_dyn() || at_most(r.high, all.high) || (r.high.is_symbolic() && bits(t) >= 32);
  return low_fits && high_fits ? r : all;
}

/// An unbounded end is the end of a 64-bit type. The sum keeps it if the other operand moves it inwards; otherwise the
/// sum may wrap around.
JAX2ONNX_INLINE interval interval_math::add(const interval& a, const interval& b, dtype t) const {
  const interval r{plus(a.low, b.low), plus(a.high, b.high)};
  const bool low_stays = (a.low.is_dyn() && at_most(0, b.low)) || (b.low.is_dyn() && at_most(0, a.low));
  const bool high_stays = (a.high.is_dyn() && at_most(b.high, 0)) || (b.high.is_dyn() && at_most(a.high, 0));
  if ((r.low.is_dyn() && !low_stays) || (r.high.is_dyn() && !high_stays)) return values_of(t);
  return wrapped(r, t);
}
JAX2ONNX_INLINE interval interval_math::sub(const interval& a, const interval& b, dtype t) const {
  if (b.low.is_dyn() && !at_most(a.high, -1)) return values_of(t);  // 0 - the smallest integer overflows
  return add(a, {minus(0, b.high), minus(0, b.low)}, t);
}

/// If no factor is negative, the ends of the product are products of ends. Otherwise, four products are compared; the
/// result is all values of the type if the order of symbolic products is unknown.
JAX2ONNX_INLINE interval interval_math::mul(const interval& a, const interval& b, dtype t) const {
  if (a.low.is_dyn() || a.high.is_dyn() || b.low.is_dyn() || b.high.is_dyn()) return values_of(t);
  if (at_most(0, a.low) && at_most(0, b.low)) {
    const interval r{times(a.low, b.low), times(a.high, b.high)};
    return r.low.is_dyn() || r.high.is_dyn() ? values_of(t) : wrapped(r, t);
  }
  interval r = only(times(a.low, b.low));
  for (dim product : {times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)}) r = hull(r, only(product));
  return r.low.is_dyn() || r.high.is_dyn() ? values_of(t) : wrapped(r, t);
}

}  // namespace jax2onnx
