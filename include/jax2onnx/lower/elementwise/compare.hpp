// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/reduction/exact_integers.hpp>
#include <jax2onnx/operators/views/producer.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers eq, ne, lt, le, gt, ge, their total-order variants (eq_to, lt_to, le_to), is_finite, clamp and select_n
/// (jax.lax) to Equal, Less, …, Where and Clip.
namespace jax2onnx::lower {

/// a != b. For x != x, which JAX prints for jnp.isnan(x), this is IsNaN(x).
inline value not_equal(const value& a, const value& b) {
  if (same_value(a, b) && is_floating(a.dtype())) return is_nan(a);
  return is_boolean(a.dtype()) ? logical_xor(a, b) : logical_not(equal(a, b));
}

/// |x| < infinity, which is false for NaN. Types of fewer than 16 bits are compared in float: some of them lack an
/// infinity.
inline value is_finite(const value& x) { return less(abs(bits(x.dtype()) < 16 ? cast(x, dtype::f32) : x), INFINITY); }

/// The operand `other` of v = where(test, number, other) if condition(test, other) holds; otherwise an absent value.
inline value otherwise_of(const value& v, double number, const auto& condition) {
  if (!operators::producer(v, "Where")) return {};
  const auto known = uniform_number(operators::input_of(v, 1));
  if (!known || !(*known == number || (std::isnan(*known) && std::isnan(number)))) return {};
  const value otherwise = operators::input_of(v, 2);
  return condition(operators::input_of(v, 0), otherwise) ? otherwise : value{};
}

/// The x of v = where(isnan(x), nan, where(x == 0, 0, x)), JAX's canonical form with one NaN and one zero; otherwise an
/// absent value.
inline value canonical_operand(const value& v) {
  using operators::input_of;
  using operators::producer;
  const value no_nan =
      otherwise_of(v, std::nan(""), [](const value& test, const value&) { return producer(test, "IsNaN"); });
  if (!no_nan) return {};
  const value x = otherwise_of(no_nan, 0, [](const value& test, const value& other) {
    return producer(test, "Equal") && uniform_number(input_of(test, 1)) == 0.0 && same_value(input_of(test, 0), other);
  });
  return x && same_value(input_of(input_of(v, 0), 0), x) ? x : value{};
}

/// a < b in the total order -inf < … < -0 < 0 < … < inf < NaN. JAX sorts NaN with a set sign bit first; here every NaN
/// is last, since arithmetic cannot read the sign bit of a NaN.
inline value less_total(const value& a, const value& b) {
  if (!is_floating(a.dtype())) return less(a, b);
  const value x = canonical_operand(a), y = canonical_operand(b);
  if (x && y) return logical_not(logical_or(greater_equal(x, y), is_nan(x)));
  const value ordered = logical_not(logical_or(greater_equal(a, b), is_nan(a)));
  return logical_or(ordered, logical_and(equal(a, b), less(reciprocal(a), reciprocal(b))));
}
inline value less_equal_total(const value& a, const value& b) {
  if (!is_floating(a.dtype())) return less_equal(a, b);
  const value x = canonical_operand(a), y = canonical_operand(b);
  return x && y ? logical_or(greater_equal(y, x), is_nan(y)) : logical_not(less_total(b, a));
}
inline value equal_total(const value& a, const value& b) {
  if (!is_floating(a.dtype())) return equal(a, b);
  const value same = logical_and(equal(a, b), equal(reciprocal(a), reciprocal(b)));
  return logical_or(same, logical_and(is_nan(a), is_nan(b)));
}

/// select_n which case0 case1 …: case0 if `which` is false or at most 0, case1 if `which` is 1, …, and the last case
/// for all larger values of `which`. A single case is the result.
inline jax_values select_n(const site& s) {
  const value which = s.in_parts(0).re();
  if (is_boolean(which.dtype()) && s.arity() == 3) return {where(which, s.in(2), s.in(1))};
  value chosen = s.in(s.arity() - 1);
  for (std::size_t i = s.arity() - 2; i >= 1; --i)
    chosen = where(less(which, static_cast<std::int64_t>(i)), s.in(i), chosen);
  return {chosen};
}

/// clamp low x high = min(max(x, low), high). Clip needs scalar bounds that are not NaN, and runtimes may round large
/// int64 numbers in it.
inline jax_values clamp(const site& s) {
  const value low = s.in(0), x = s.in(1), high = s.in(2);
  const auto fits_clip = [](const value& bound) {
    if (!is_floating(bound.dtype())) return bound.rank() == 0;
    const auto known = uniform_number(bound);
    return bound.rank() == 0 && known && !std::isnan(*known);
  };
  const bool needs_exact_compare = x.dtype() == dtype::i64 && is_wide_integer(x);
  if (fits_clip(low) && fits_clip(high) && !needs_exact_compare) return {clip(x, low, high)};
  return {extreme("Min", extreme("Max", x, low), high)};
}

inline constexpr lowering compare_rows[] = {
    {"clamp", clamp, "Clip, or Max and Min", signature{3, 1, clamp_types}},
    {"eq", compare2<"Equal">, "Equal", equality},
    {"eq_to", apply2<equal_total>, "Equal, Reciprocal, IsNaN", total_order},
    {"ge", compare2<"GreaterOrEqual">, "GreaterOrEqual", comparison},
    {"gt", compare2<"Greater">, "Greater", comparison},
    {"is_finite", apply1<is_finite>, "Abs, Less", signature{1, 1, truth_of<kinds::floating>}},
    {"le", compare2<"LessOrEqual">, "LessOrEqual", comparison},
    {"le_to", apply2<less_equal_total>, "GreaterOrEqual, Reciprocal, IsNaN", total_order},
    {"lt", compare2<"Less">, "Less", comparison},
    {"lt_to", apply2<less_total>, "GreaterOrEqual, Reciprocal, IsNaN", total_order},
    {"ne", apply2<not_equal>, "Equal, Not; IsNaN for x != x", equality},
    {"select_n", select_n, "Where", signature{or_more(2), 1, select_n_types}, parts_rule::each},
};

}  // namespace jax2onnx::lower
