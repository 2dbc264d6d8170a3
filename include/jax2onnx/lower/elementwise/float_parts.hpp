// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/float_bits.hpp>
#include <jax2onnx/ops/math.hpp>

/// Lowers Frexp and Ldexp (jax.numpy.frexp and ldexp), which split floating-point numbers and scale them by powers of
/// two, to arithmetic in double. Subnormal numbers count as signed zeros. Source: jax._src.numpy.ufuncs.
namespace jax2onnx::lower {

/// A floating-point number as fraction * 2^exponent, in double. No Where selects among fractions, since ONNX Runtime's
/// Where drops the sign of -0.
struct float_parts {
  value fraction;   ///< magnitude in [1, 2) for normal numbers; infinite or NaN for infinite or NaN x; has x's sign
  value exponent;   ///< an integer
  value is_zero;    ///< true if x is zero or subnormal
  value is_normal;  ///< true if x is neither zero, subnormal, infinite nor NaN
};
inline float_parts parts_of(const value& x) {
  constexpr double per_log2 = 1.44269504088896340736, slack = 1e-9;
  graph& g = x.owner();
  const auto constant = [&](double v) { return scalar(g, dtype::f64, v); };
  const value wide = cast(x, dtype::f64), size = abs(wide);
  // The exponent, or one less: it is never overestimated.
  const value low = clip(floor(sub(mul(log(size), per_log2), slack)), constant(-1022), constant(1022));
  const value scaled = div(wide, exp2(low)), above = greater_equal(abs(scaled), 2);
  const value small = less(size, std::ldexp(1.0, smallest_exponent(x.dtype())));
  const value finite = less(size, std::numeric_limits<double>::infinity());
  return {mul(scaled, where(above, constant(0.5), constant(1))), add(low, cast(above, dtype::f64)), small,
          logical_and(finite, logical_not(small))};
}

/// fraction * scale for normal numbers, signed zeros for numbers that count as zero; infinities and NaN stay.
inline value scaled(const float_parts& parts, const value& scale, dtype t) {
  const auto constant = [&](double v) { return scalar(scale.owner(), dtype::f64, v); };
  const value factor = where(parts.is_normal, scale, where(parts.is_zero, constant(0), constant(1)));
  return cast(mul(parts.fraction, factor), t);
}

/// frexp: a mantissa with absolute value in [1/2, 1), and the exponent. For zero, infinity and NaN, the mantissa is x
/// and the exponent is 0.
inline jax_values frexp(const site& s) {
  const float_parts parts = parts_of(s.in(0));
  const value exponent = where(parts.is_normal, add(parts.exponent, 1), scalar(s.g, dtype::f64, 0));
  return {scaled(parts, scalar(s.g, dtype::f64, 0.5), s.out_dtype()), cast(exponent, dtype::i32)};
}

/// ldexp: x 2^n. Subnormal results become signed zeros.
inline jax_values ldexp(const site& s) {
  const auto constant = [&](double v) { return scalar(s.g, dtype::f64, v); };
  const float_parts parts = parts_of(s.in(0));
  constexpr double beyond = 5000;  // larger than the difference of any two exponents of doubles
  const value shift = clip(cast(s.in(1), dtype::f64), constant(-beyond), constant(beyond));
  const value exponent = add(parts.exponent, shift);
  const double least = smallest_exponent(s.out_dtype()), most = largest_exponent(s.out_dtype());
  const value power = exp2(clip(exponent, constant(least), constant(most)));
  const value scale = where(less(exponent, least), constant(0),
                            where(greater(exponent, most), constant(std::numeric_limits<double>::infinity()), power));
  return {scaled(parts, scale, s.out_dtype())};
}

inline std::vector<aval> frexp_types(const site& s) {
  const aval mantissa = same_elements<kinds::floating>(s)[0];
  return {mantissa, {element_named("i32"), mantissa.dims}};
}
inline std::vector<aval> ldexp_types(const site& s) {
  require_kind(s, 0, kinds::floating);
  require_kind(s, 1, kinds::integer);
  return {like(s, 0)};
}

inline constexpr lowering float_parts_rows[] = {
    {"Frexp", frexp, "Log, Floor, Pow, Div, Where", signature{1, 2, frexp_types}, ignores{"x_aval"}},
    {"Ldexp", ldexp, "Log, Floor, Pow, Mul, Where", signature{2, 1, ldexp_types}, ignores{"x1_aval x2_aval"}},
};

}  // namespace jax2onnx::lower
