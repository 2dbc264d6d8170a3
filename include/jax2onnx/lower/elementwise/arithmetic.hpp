// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/reduction/exact_integers.hpp>
#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/ops/math.hpp>

/// Lowers add, sub, mul, mulhi, div, rem, neg, abs, sign, max, min, pow, integer_pow, square, one_minus_square, sqrt,
/// rsqrt, cbrt and reciprocal (jax.lax) to ONNX's elementwise operators. Integer corner cases follow XLA on CPUs.
namespace jax2onnx::lower {

/// Neg; 0 - x for the unsigned types, which ONNX's Neg lacks.
inline jax_values negative(const site& s) {
  const value x = s.in(0);
  if (is_unsigned_integer(x.dtype())) return {sub(scalar(s.g, x.dtype(), 0), x)};
  return {neg(x)};
}

/// A divisor that cannot trap: y, with 0 and -1 replaced by 1 (smallest / -1 overflows).
struct safe_divisor {
  value divisor;
  value is_zero;       ///< absent if y is known not to be 0
  value is_minus_one;  ///< absent if y is known not to be -1
};
inline safe_divisor make_safe(const value& y) {
  const bool is_signed = is_signed_integer(y.dtype());
  if (const auto known = uniform_integer(y); known && *known != 0 && !(is_signed && *known == -1)) return {y, {}, {}};
  safe_divisor safe{y, equal(y, 0), {}};
  value unsafe = safe.is_zero;
  if (is_signed) {
    safe.is_minus_one = equal(y, -1);
    unsafe = logical_or(unsafe, safe.is_minus_one);
  }
  safe.divisor = where(unsafe, scalar(y.owner(), y.dtype(), 1), y);
  return safe;
}

/// The quotient. Integer division truncates toward zero; x / 0 is -1 (all bits set), and smallest / -1 wraps around.
inline value quotient(const value& x, const value& y) {
  if (is_floating(x.dtype())) return div(x, y);
  const safe_divisor safe = make_safe(y);
  value q = div(x, safe.divisor);
  if (safe.is_minus_one) q = where(safe.is_minus_one, neg(x), q);
  return safe.is_zero ? where(safe.is_zero, scalar(x.owner(), x.dtype(), -1), q) : q;
}

/// The remainder, which has the sign of the dividend; x rem 0 is x for integers and NaN for floating-point numbers. For
/// 64-bit signed integers the remainder is x - x / d * d: runtimes evaluate Mod with fmod=1 in double, and with fmod=0
/// the result has the sign of the divisor.
inline value remainder(const value& x, const value& y) {
  const auto mod = [&](const value& d, std::int64_t fmod) {
    return x.owner().emit("Mod", {x, d},
                          {x.dtype(), jax2onnx::detail::checked("Mod", infer::broadcast(x.dims(), d.dims()), {x, d})},
                          {{"fmod", fmod}});
  };
  if (is_floating(x.dtype())) return mod(y, 1);
  const safe_divisor safe = make_safe(y);
  const value d = safe.divisor;
  const bool exact_in_double = is_signed_integer(x.dtype()) && bits(x.dtype()) <= 32;
  const value r = is_unsigned_integer(x.dtype()) ? mod(d, 0) : exact_in_double ? mod(d, 1) : sub(x, mul(div(x, d), d));
  return safe.is_zero ? where(safe.is_zero, x, r) : r;
}

/// 1 / x. With `approx`, a float x is rounded to bfloat16, and so is the result, as in JAX on a CPU.
inline jax_values reciprocal_of(const site& s) {
  const value x = s.in(0);
  if (!s.param_or<bool>("approx", false) || x.dtype() != dtype::f32) return {reciprocal(x)};
  return {cast(reciprocal(cast(x, dtype::bf16)), dtype::f32)};
}

/// x^y for an integer y; a negative y gives 1 / x^-y for floating-point x. JAX refuses a negative y for integers.
inline value integer_power(const value& x, std::int64_t y) {
  constexpr std::int64_t few = 4;  // up to this exponent, products are cheaper than Pow
  if (y == -1) return reciprocal(x);
  if (!is_floating(x.dtype()) || (y >= 0 && y <= few)) return power_by_squaring(x, static_cast<std::uint64_t>(y));
  return pow(x, static_cast<double>(y));
}
inline jax_values integer_pow(const site& s) {
  return {cast(integer_power(at_least_float(s.in(0)), s.param<std::int64_t>("y")), s.out_dtype())};
}

/// mul. Since JAX 0.10 the result type may be wider than the type of the operands (out_dtype).
inline jax_values product(const site& s) {
  s.ignore("out_dtype", "it is the printed result type");
  const value x = cast(s.in(0), s.out_dtype()), y = cast(s.in(1), s.out_dtype());
  return {is_boolean(x.dtype()) ? logical_and(x, y) : mul(x, y)};
}

/// (1 + x)(1 - x), in this order of rounding.
inline value one_minus_square(const value& x) {
  const value one = scalar(x.owner(), x.dtype(), 1);
  return mul(add(one, x), sub(one, x));
}

/// The high word of the product of uint64 numbers, from the products of their 32-bit halves.
inline value high_word_of_wide_product(const value& x, const value& y) {
  const auto low = [](const value& v) { return bit_and(v, 0xffffffff); };
  const auto high = [](const value& v) { return shift_right_by(v, 32); };
  const value middle = add(mul(high(x), low(y)), high(mul(low(x), low(y))));
  const value other = add(mul(low(x), high(y)), low(middle));
  return add(add(mul(high(x), high(y)), high(middle)), high(other));
}

/// mulhi: the high half of the product of two integers. A negative 64-bit operand is its bit pattern minus 2^64.
inline value high_product(const value& x, const value& y) {
  const dtype t = x.dtype();
  graph& g = x.owner();
  if (bits(t) < 64) {
    const dtype wide = is_signed_integer(t) ? dtype::i64 : dtype::u64;
    const value product = mul(cast(x, wide), cast(y, wide));
    return cast(cast(shift_right_by(cast(product, dtype::u64), bits(t)), unsigned_of(t)), t);
  }
  const value high = high_word_of_wide_product(cast(x, dtype::u64), cast(y, dtype::u64));
  if (!is_signed_integer(t)) return high;
  const value none = scalar(g, t, 0);
  return sub(sub(cast(high, t), where(less(x, 0), y, none)), where(less(y, 0), x, none));
}

inline jax_values larger(const site& s) {
  return {is_boolean(s.in_dtype()) ? logical_or(s.in(0), s.in(1)) : extreme("Max", s.in(0), s.in(1))};
}
inline jax_values smaller(const site& s) {
  return {is_boolean(s.in_dtype()) ? logical_and(s.in(0), s.in(1)) : extreme("Min", s.in(0), s.in(1))};
}

/// pow. An integer exponent is first rounded to the type of the base, as in XLA: a large odd exponent may become even.
inline jax_values power(const site& s) { return {pow(s.in(0), cast(s.in(1), s.out_dtype()))}; }

inline constexpr lowering arithmetic_rows[] = {
    {"abs", map1<"Abs">, "Abs", signature{1, 1, real_part_types<kinds::number>}},
    {"add", bool_or<"Or", "Add">, "Add", data_binary},
    {"add_any", bool_or<"Or", "Add">, "Add", signature{2, 1, same_elements<kinds::data | kinds::float0>}},
    {"cbrt", real1<cbrt>, "Sign, Abs, Pow, Mul", float_unary, ignores{"accuracy"}},
    {"div", apply2<quotient>, "Div; integers also Equal, Where", signature{2, 1, same_elements<kinds::number>}},
    {"integer_pow", integer_pow, "Mul, Pow, Reciprocal",
     signature{1, 1, same_elements<kinds::number>, {{"y", param_form::number}}}},
    {"max", larger, "Max; 64-bit integers Less, Where", data_binary},
    {"min", smaller, "Min; 64-bit integers Less, Where", data_binary},
    {"mul", product, "Mul", signature{2, 1, same_elements<kinds::data>, {{"out_dtype", param_form::element}}},
     ignores{"out_dtype=None"}},
    {"mulhi", apply2<high_product>, "Mul, BitShift; 64-bit integers also BitwiseAnd, Add", integer_binary},
    {"neg", negative, "Neg", number_unary},
    {"one_minus_square", apply1<one_minus_square>, "Add, Sub, Mul", number_unary},
    {"pow", power, "Pow", signature{2, 1, pow_types}},
    {"reciprocal", reciprocal_of, "Reciprocal",
     signature{1, 1, same_elements<kinds::floating>, {{"approx", param_form::flag}}}, ignores{"full_range"}},
    {"rem", apply2<remainder>, "Mod; integers also Equal, Where", signature{2, 1, same_elements<kinds::real>}},
    {"rsqrt", real1<rsqrt>, "Sqrt, Reciprocal", inexact_unary, ignores{"accuracy"}},
    {"sign", real1<accurate::sign>, "Mul, Clip; integers Sign", number_unary},
    {"sqrt", map1<"Sqrt">, "Sqrt", inexact_unary, ignores{"accuracy"}},
    {"square", apply1<square>, "Mul", number_unary},
    {"sub", map2<"Sub">, "Sub", data_binary},
};

}  // namespace jax2onnx::lower
