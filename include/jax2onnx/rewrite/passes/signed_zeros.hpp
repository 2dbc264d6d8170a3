// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/corrections.hpp>

/// Divisors that are 0 or -0. JAX's maximum of 0 and -0 is 0, and the minimum -0; ONNX Runtime's Max, Min and Relu
/// return either operand. That is corrected only if something divides by the result (docs/numerics.md).
namespace jax2onnx::rewrite::detail {

/// Returns whether no element of `v` is -0, as far as `depth` nodes show it.
inline bool has_no_negative_zero(const value& v, int depth = 4) {
  if (const auto number = uniform_number(v)) return *number != 0 || !std::signbit(*number);
  const auto has_none = [&](const value& x) { return has_no_negative_zero(x, depth - 1); };
  if (depth == 0 || !producer(v)) return false;
  if (producer(v, "Max") || producer(v, "Min")) return item_loops::all_of(inputs_of(v), has_none);
  if (is_reshape(v) || producer(v, "ReduceMax") || producer(v, "ReduceMin")) return has_none(input_of(v, 0));
  return has_trait(v, trait::no_negative_zero);
}
inline bool is_nonzero_number(const value& v) {
  const auto number = uniform_number(v);
  return number && *number != 0;
}
inline bool is_positive_zero(const value& v) {
  const auto number = uniform_number(v);
  return number && *number == 0 && !std::signbit(*number);
}
/// Returns whether p and q cannot be zeros of different signs.
inline bool is_unambiguous(const value& p, const value& q) {
  return is_nonzero_number(p) || is_nonzero_number(q) || (has_no_negative_zero(p) && has_no_negative_zero(q));
}

/// The Max `d` of p and q, with the sign of p + q if both are zeros. ONNX Runtime's Where keeps only the sign of its
/// last operand, so it selects the number that is subtracted: 0 changes nothing.
inline value exact_maximum(const value& d, const value& p, const value& q) {
  const value sum = neg(add(p, q)), magnitudes = add(abs(p), abs(q));
  return sub(d, where(greater(magnitudes, 0), scalar(d.owner(), d.dtype(), 0), sum));
}
inline value exact_extreme(const value& d) {
  const value p = input_of(d, 0), q = input_of(d, 1);
  if (!q || producer(d)->inputs.size() != 2 || is_unambiguous(p, q)) return d;
  if (producer(d, "Max")) return is_positive_zero(p) || is_positive_zero(q) ? abs(d) : exact_maximum(d, p, q);
  return neg(exact_maximum(neg(d), neg(p), neg(q)));
}

inline value exact_divisor(const value& d) {
  if (!is_floating(d.dtype())) return d;
  if (producer(d, "Relu")) return abs(d);
  return producer(d, "Max") || producer(d, "Min") ? exact_extreme(d) : d;
}

inline value exact_quotient(const value& y) {
  std::vector<value> inputs = inputs_of(y);
  const value d = inputs.back(), exact = exact_divisor(d);
  if (same_value(exact, d)) return {};
  inputs.back() = exact;
  return with_inputs(y, inputs, y.type());
}

inline constexpr correction zero_corrections[] = {{"Div", exact_quotient}, {"Reciprocal", exact_quotient}};

/// Gives divisors the signs that they have in JAX.
inline void correct_signed_zeros(graph& g) { apply_corrections(g, zero_corrections); }

}  // namespace jax2onnx::rewrite::detail
