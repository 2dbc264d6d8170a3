#pragma once

#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/ops/powers.hpp>
#include <jax2onnx/lower/reduction/exact_integers.hpp>
#include <jax2onnx/lower/elementwise/map.hpp>

/// Sums, products, quotients and powers. Source of the rules: jax.lax, and what XLA does on CPUs at the edges of integers.
namespace jax2onnx::lower {

/// Unsigned types have no Neg.
inline results negative(const site& s) {
  const value x = s.in(0);
  if (is_unsigned_integer(x.dtype())) return {sub(scalar(s.g, x.dtype(), 0), x)};
  return {neg(x)};
}

/// What divides without a fault: y, but 1 for 0 and -1, which overflows the smallest integer.
struct safe_divisor {
  value divisor;
  value is_zero;       ///< absent where y is known not to be 0
  value is_minus_one;  ///< absent where y is known not to be -1
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

/// Integers: towards zero; x / 0 is -1 (all ones), and the smallest integer divided by -1 wraps.
inline value quotient(const value& x, const value& y) {
  if (is_floating(x.dtype())) return div(x, y);
  const safe_divisor safe = make_safe(y);
  value q = div(x, safe.divisor);
  if (safe.is_minus_one) q = where(safe.is_minus_one, neg(x), q);
  return safe.is_zero ? where(safe.is_zero, scalar(x.owner(), x.dtype(), -1), q) : q;
}

/// The sign is the dividend's; x rem 0 is x for integers, NaN for floating-point numbers. 64-bit integers get it from
/// the quotient: with fmod, runtimes compute Mod in double, and without it, the sign is the divisor's.
inline value remainder(const value& x, const value& y) {
  const auto mod = [&](const value& d, std::int64_t fmod) {
    return x.owner().emit("Mod", {x, d}, {x.dtype(), checked("Mod", infer::broadcast(x.dims(), d.dims()), {x, d})},
                          {{"fmod", fmod}});
  };
  if (is_floating(x.dtype())) return mod(y, 1);
  const safe_divisor safe = make_safe(y);
  const value d = safe.divisor;
  const bool exact_in_double = is_signed_integer(x.dtype()) && bits(x.dtype()) <= 32;
  const value r = is_unsigned_integer(x.dtype()) ? mod(d, 0) : exact_in_double ? mod(d, 1) : sub(x, mul(div(x, d), d));
  return safe.is_zero ? where(safe.is_zero, x, r) : r;
}

/// x to the integer power y; 1 / x^-y for negative y.
inline value integer_power(const value& x, std::int64_t y) {
  constexpr std::int64_t few = 4;  // products are cheaper than Pow up to here
  if (y == 0) return filled(x.owner(), x.dtype(), x.dims(), 1);
  if (y == -1) return reciprocal(x);
  if (!is_floating(x.dtype()) || (y > 0 && y <= few)) return power_by_squaring(x, static_cast<std::uint64_t>(y));
  return pow(x, static_cast<double>(y));
}
inline results integer_pow(const site& s) {
  return {cast(integer_power(at_least_float(s.in(0)), s.param<std::int64_t>("y")), s.out_dtype())};
}

/// JAX 0.10 multiplies integers and narrow floats to a wider type on request.
inline results product(const site& s) {
  s.find("out_dtype");
  const value x = cast(s.in(0), s.out_dtype()), y = cast(s.in(1), s.out_dtype());
  return {is_boolean(x.dtype()) ? logical_and(x, y) : mul(x, y)};
}

inline results larger(const site& s) {
  return {is_boolean(s.in_dtype()) ? logical_or(s.in(0), s.in(1)) : extreme("Max", s.in(0), s.in(1))};
}
inline results smaller(const site& s) {
  return {is_boolean(s.in_dtype()) ? logical_and(s.in(0), s.in(1)) : extreme("Min", s.in(0), s.in(1))};
}

/// An integer exponent is rounded to the base's type, as in XLA: what is odd in it may be even there.
inline results power(const site& s) { return {pow(s.in(0), cast(s.in(1), s.out_dtype()))}; }

inline constexpr lowering arithmetic_rows[] = {
    {"abs", map1<"Abs">, "Abs"},
    {"add", bool_or<"Or", "Add">, "Add"},
    {"add_any", bool_or<"Or", "Add">, "Add"},
    {"cbrt", real1<cbrt>, "Sign, Abs, Pow, Mul"},
    {"div", apply2<quotient>, "Div; integers also Equal, Where"},
    {"integer_pow", integer_pow, "Mul, Pow, Reciprocal"},
    {"max", larger, "Max; 64-bit integers Less, Where"},
    {"min", smaller, "Min; 64-bit integers Less, Where"},
    {"mul", product, "Mul"},
    {"neg", negative, "Neg"},
    {"pow", power, "Pow"},
    {"rem", apply2<remainder>, "Mod; integers also Equal, Where"},
    {"rsqrt", real1<rsqrt>, "Sqrt, Reciprocal"},
    {"sign", map1<"Sign">, "Sign"},
    {"sqrt", map1<"Sqrt">, "Sqrt"},
    {"square", apply1<square>, "Mul"},
    {"sub", map2<"Sub">, "Sub"},
};

}  // namespace jax2onnx::lower
