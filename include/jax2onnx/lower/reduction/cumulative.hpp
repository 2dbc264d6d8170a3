// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <numbers>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/complex/functions.hpp>
#include <jax2onnx/lower/reduction/reducer.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>
#include <jax2onnx/lower/reduction/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/cumulative.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Lowers cumsum to CumSum, cumprod to CumProd (opset 26) or a Scan, and cummax, cummin and cumlogsumexp to a Scan.
/// Along an axis that may be empty, a Loop replaces the Scan. Source: jax/_src/lax/control_flow/loops.py.
namespace jax2onnx::lower {

// The verbs; the lowerings have the same names.
using ops::cumprod;
using ops::cumsum;

inline jax_values cumsum(const site& s) {
  return {cumsum(s.in(0), s.param<std::int64_t>("axis"), s.param<bool>("reverse"))};
}

/// log(exp(a) + exp(b)). If a - b is NaN (equal infinities, or a NaN operand), the result is a + b.
inline value log_add_exp(const value& a, const value& b) {
  const value difference = sub(a, b);
  const value sum = add(maximum(a, b), log(add(exp(neg(abs(difference))), 1)));
  return where(is_nan(difference), add(a, b), sum);
}

/// `angle` in [-pi, pi], computed as JAX does.
inline value wrapped_angle(const value& angle) {
  const double turn = 2 * std::numbers::pi;
  const value rest = angle.owner().emit(
      "Mod", {add(angle, std::numbers::pi), scalar(angle.owner(), angle.dtype(), turn)}, angle.type(), {{"fmod", 1}});
  return sub(where(less(rest, 0), add(rest, turn), rest), std::numbers::pi);
}

/// log(exp(a) + exp(b)) of complex numbers; NaN if the larger one is infinite.
inline jax_value log_add_exp(const jax_value& a, const jax_value& b) {
  const jax_value most = cx::maximum(a, b);
  const jax_value difference = cx::sub(cx::add(a, b), cx::add(most, most));
  const jax_value sum =
      cx::add(most, cx::in_double([](const jax_value& z) { return cx::log1p(z); }, cx::exp(difference)));
  return jax_value(sum.re(), wrapped_angle(sum.im()));
}

using binary_operation = function_ref<jax_value(const jax_value& accumulator, const jax_value& element)>;

/// The running results of accumulator = op(accumulator, element), starting with the scalar `first`. If `first` is not
/// an identity element, op is applied even if the axis has only one element.
inline jax_values running(const site& s, const jax_value& first, binary_operation op, bool is_identity = true) {
  const auto axis = s.param<std::int64_t>("axis");
  const bool reverse = s.param<bool>("reverse");
  const jax_value& x = s.in_parts(0);
  if (is_empty(x.re().dims())) return {x};
  if (x.re().extent(axis).is(1)) return {is_identity ? x : op(first, x)};
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
  const auto may_be_zero = [&](dim d) { return !never_zero(s.g, d); };
  if (item_loops::any_of(s.in(0).dims(), may_be_zero))  // a Scan or Loop allows extents of 0
    return running(s, one, [](const jax_value& a, const jax_value& b) { return jax_value(mul(a.re(), b.re())); });
  return {cumprod(s.in(0), s.param<std::int64_t>("axis"), s.param<bool>("reverse"))};
}

inline jax_values cumlogsumexp(const site& s) {
  const value start = scalar(s.g, s.in_dtype(), -std::numeric_limits<double>::infinity());
  if (s.is_complex()) {
    const jax_value first(start, scalar(s.g, s.in_dtype(), 0));
    return running(
        s, first, [](const jax_value& a, const jax_value& b) { return log_add_exp(a, b); }, false);
  }
  return running(s, start,
                 [](const jax_value& a, const jax_value& b) { return jax_value(log_add_exp(a.re(), b.re())); });
}

inline constexpr lowering cumulative_rows[] = {
    {"cumlogsumexp", cumlogsumexp, "Scan",
     signature{1, 1, cumulative_types<kinds::inexact>, {{"axis", param_form::axis}, {"reverse", param_form::flag}}},
     parts_rule::own},
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
