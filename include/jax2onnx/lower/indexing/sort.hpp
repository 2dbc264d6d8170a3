// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <jax2onnx/lower/control/block_values.hpp>
#include <jax2onnx/lower/indexing/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/operators/views/producer.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers sort, top_k and approx_top_k to TopK. TopK breaks ties by position, so a full TopK is a stable sort. TopK
/// leaves the order of NaN undefined; JAX sorts NaN after infinity. Source: jax.lax.sort, jax.lax.top_k.
namespace jax2onnx::lower {

/// The position of NaN in an order: above infinity, or below -infinity.
enum class nan_order : std::uint8_t { largest, smallest };

/// A key without NaN that sorts like x; absent for double, since no wider type has room for NaN beyond infinity.
inline value ordered_key(const value& x, nan_order order) {
  const dtype t = x.dtype();
  if (is_boolean(t)) return cast(x, dtype::u8);
  if (!is_floating(t)) return x;
  if (t == dtype::f64) return {};
  graph& g = x.owner();
  const dtype wide = t == dtype::f32 || t == dtype::bf16 ? dtype::f64 : dtype::f32;
  const double infinity = wide == dtype::f64 ? 1e300 : 1e30;
  const double beyond = order == nan_order::largest ? 2 * infinity : -2 * infinity;
  const value bounded = clip(cast(x, wide), scalar(g, wide, -infinity), scalar(g, wide, infinity));
  return where(is_nan(x), scalar(g, wide, beyond), bounded);
}

/// The positions of x's k smallest or largest elements along an axis, in order.
inline value sorted_positions(const site& s, const value& x, dim k, std::int64_t axis, bool largest,
                              nan_order order = nan_order::largest) {
  if (s.assume_finite() && is_floating(x.dtype())) return top_k(x, k, axis, largest).second;
  if (const value key = ordered_key(x, order)) return top_k(key, k, axis, largest).second;
  // Sorts by value, with NaN replaced by infinity, then stably by whether an element is NaN.
  graph& g = x.owner();
  const dim n = x.extent(axis);
  const value bounded = where(is_nan(x), scalar(g, x.dtype(), std::numeric_limits<double>::infinity()), x);
  const value first = top_k(bounded, n, axis, largest).second;
  const value nan = cast(is_nan(gather_elements(x, first, axis)), dtype::u8);
  const bool nan_last = largest == (order == nan_order::smallest);
  return gather_elements(first, top_k(nan, k, axis, !nan_last).second, axis);
}

/// The tensors of the first `keys` operands, the most significant first: complex numbers are ordered by real part, then
/// by imaginary part.
inline std::vector<value> key_tensors(const site& s, std::size_t keys) {
  std::vector<value> out;
  for (std::size_t i = 0; i < keys; ++i) append(out, tensors_of({&s.in_parts(i), 1}));
  return out;
}

/// Returns whether `v` is a small constant [n] of 0, 1, …, n - 1.
inline bool counts_up(const value& v) {
  const auto numbers = v.rank() == 1 ? constant_integers(v) : std::nullopt;
  if (!numbers) return false;
  for (std::size_t i = 0; i < numbers->size(); ++i)
    if ((*numbers)[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}
/// The elements of `v` in an order. If the elements are the positions 0, 1, …, as in jnp.argsort, the result is the
/// order itself.
inline value in_order(const value& v, const value& order, std::int64_t axis) {
  return counts_up(v) ? cast(order, v.dtype()) : gather_elements(v, order, axis);
}

/// The order of elements along an axis of extent n, sorted by the keys; the first key is the most significant one.
/// Sorts by the last key first, since every further stable sort keeps the order of equal elements.
inline value ascending_order(const site& s, const std::vector<value>& keys, dim n, std::int64_t axis) {
  value order;
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const value by = order ? gather_elements(*key, order, axis) : *key;
    const value positions = sorted_positions(s, by, n, axis, false);
    order = order ? gather_elements(order, positions, axis) : positions;
  }
  return order;
}

/// sort operand…: sorts all operands by the first num_keys operands.
inline jax_values sort(const site& s) {
  const auto axis = s.param<std::int64_t>("dimension");
  const std::vector<value> keys = key_tensors(s, static_cast<std::size_t>(s.param_or<std::int64_t>("num_keys", 1)));
  const dim n = s.in(0).extent(axis);
  if (is_empty(s.in(0).dims()) || n.is(1)) return {s.ins().begin(), s.ins().end()};
  if (s.arity() == 1 && keys.size() == 1 && is_integer(s.in_dtype())) return {top_k(s.in(0), n, axis, false).first};
  const value order = ascending_order(s, keys, n, axis);
  jax_values out;
  for (const jax_value& x : s.ins())
    out.push_back(each_part(x, [&](const value& v) { return in_order(v, order, axis); }));
  return out;
}

/// The k largest or smallest elements along an axis, and their positions. k is read from the extent of the results.
inline jax_values first_k(const site& s, std::int64_t axis, bool largest, nan_order order = nan_order::largest) {
  const value x = s.in(0);
  const dim k = s.out_dims()[static_cast<std::size_t>(axis)];
  if (is_empty(s.out_dims()))
    return {filled(s.g, x.dtype(), s.out_dims(), 0), filled(s.g, s.out_dtype(1), s.out_dims(), 0)};
  if (is_integer(x.dtype())) {
    const auto [values, positions] = top_k(x, k, axis, largest);
    return {values, cast(positions, s.out_dtype(1))};
  }
  const value positions = sorted_positions(s, x, k, axis, largest, order);
  return {gather_elements(x, positions, axis), cast(positions, s.out_dtype(1))};
}

/// Returns whether `v` is a negation. A NaN in `v` then has a set sign bit if the NaN in the operand of Neg has none.
inline bool is_negated(const value& v) { return operators::producer(v, "Neg"); }

/// top_k: equal elements are in the order of their positions, which JAX allows without is_stable. NaN is below
/// -infinity if the operand is a negation, as jnp.partition needs it for -x; otherwise NaN is above infinity.
inline jax_values largest_k(const site& s) {
  const nan_order order = is_negated(s.in(0)) ? nan_order::smallest : nan_order::largest;
  return first_k(s, s.param_or<std::int64_t>("axis", s.in(0).rank() - 1), true, order);
}

/// approx_top_k gives the exact result, as JAX's implementation for CPUs does.
inline jax_values approx_top_k(const site& s) {
  const auto axis = s.param<std::int64_t>("reduction_dimension");
  return first_k(s, axis < 0 ? axis + s.in(0).rank() : axis, s.param<bool>("is_max_k"));
}

inline constexpr lowering sort_rows[] = {
    {"approx_top_k", approx_top_k, "TopK", approx_top_k_signature,
     ignores{"aggregate_to_topk k recall_target reduction_input_size_override"}},
    {"sort", sort, "TopK, GatherElements", sort_signature, parts_rule::own, ignores{"is_stable"}},
    {"top_k", largest_k, "TopK", top_k_signature, ignores{"is_stable k operand_shape"}},
};

}  // namespace jax2onnx::lower
