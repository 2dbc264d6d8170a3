#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/reduction/reducer.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>
#include <jax2onnx/lower/reduction/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/cumulative.hpp>

/// Lowers cumsum to CumSum, cumprod to CumProd (opset 26) or a Scan, and cummax, cummin and cumlogsumexp to a Scan.
/// Source: jax/_src/lax/control_flow/loops.py.
namespace jax2onnx::lower {

inline jax_values cumsum(const site& s) {
  return {cumsum(s.in(0), s.param<std::int64_t>("axis"), s.param<bool>("reverse"))};
}

/// log(exp(a) + exp(b)). Where a - b is NaN, from equal infinities or a NaN operand, a + b is the result.
inline value log_add_exp(const value& a, const value& b) {
  const value difference = sub(a, b);
  const value sum = add(maximum(a, b), log(add(exp(neg(abs(difference))), 1)));
  return where(is_nan(difference), add(a, b), sum);
}

using binary_operation = function_ref<jax_value(const jax_value& accumulator, const jax_value& element)>;

/// The running results of accumulator = op(accumulator, element), which starts as the scalar `first`.
inline jax_values running(const site& s, const jax_value& first, binary_operation op) {
  const auto axis = s.param<std::int64_t>("axis");
  const bool reverse = s.param<bool>("reverse");
  const jax_value& x = s.in_parts(0);
  if (is_empty(x.re().dims()) || x.re().extent(axis).is(1)) return {x};
  shape rest = x.re().dims();
  rest.drop(axis);
  return scan_axis(s.g, {broadcast_parts(first, rest)}, {x}, axis, reverse, true,
                   [&](const jax_values& acc, const jax_values& element) { return jax_values{op(acc[0], element[0])}; })
      .running;
}

template <reducer Kind>
jax_values cumulative(const site& s) {
  const dtype t = s.in_dtype();
  const reducer k = !is_boolean(t) ? Kind : Kind == reducer::maximum ? reducer::any : reducer::all;
  const value start = identity_element(s.g, k, t);
  if (s.is_complex())
    return running(s, jax_value(start, start), [](const jax_value& a, const jax_value& b) {
      return lexicographic_extreme(a, b, Kind == reducer::maximum);
    });
  return running(s, start,
                 [&](const jax_value& a, const jax_value& b) { return jax_value(combine(k, a.re(), b.re())); });
}

inline jax_values cumprod(const site& s) {
  const value one = scalar(s.g, s.in_dtype(), 1);
  if (s.is_complex())
    return running(s, jax_value(one, scalar(s.g, s.in_dtype(), 0)),
                   [](const jax_value& a, const jax_value& b) { return cx::mul(a, b); });
  return {cumprod(s.in(0), s.param<std::int64_t>("axis"), s.param<bool>("reverse"))};
}

inline jax_values cumlogsumexp(const site& s) {
  const value start = scalar(s.g, s.in_dtype(), -std::numeric_limits<double>::infinity());
  return running(s, start,
                 [](const jax_value& a, const jax_value& b) { return jax_value(log_add_exp(a.re(), b.re())); });
}

inline constexpr lowering cumulative_rows[] = {
    {"cumlogsumexp", cumlogsumexp, "Scan",
     signature{1, 1, cumulative_types<kinds::inexact>, {{"axis", param_form::axis}, {"reverse", param_form::flag}}}},
    {"cummax", cumulative<reducer::maximum>, "Scan",
     signature{1, 1, cumulative_types<kinds::data>, {{"axis", param_form::axis}, {"reverse", param_form::flag}}},
     parts_rule::own},
    {"cummin", cumulative<reducer::minimum>, "Scan",
     signature{1, 1, cumulative_types<kinds::data>, {{"axis", param_form::axis}, {"reverse", param_form::flag}}},
     parts_rule::own},
    {"cumprod", cumprod, "CumProd, Scan",
     signature{1, 1, cumulative_types<kinds::data>, {{"axis", param_form::axis}, {"reverse", param_form::flag}}},
     parts_rule::own},
    {"cumsum", cumsum, "CumSum",
     signature{1, 1, cumulative_types<kinds::data>, {{"axis", param_form::axis}, {"reverse", param_form::flag}}},
     parts_rule::each},
};

}  // namespace jax2onnx::lower
