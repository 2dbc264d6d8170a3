// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/operators/opset.hpp>
#include <jax2onnx/ops/bits.hpp>
#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/ops/math.hpp>

/// Bit patterns of floating-point numbers, by BitCast from opset 26 on and by arithmetic before.
namespace jax2onnx::ops {

/// The exponent of the smallest normal numbers of a floating-point type.
constexpr int smallest_exponent(dtype t) { return 1 - format_of(t).bias; }
/// The exponent of the largest finite value of a floating-point type.
constexpr int largest_exponent(dtype t) {
  const float_format f = format_of(t);
  return (1 << f.exponent_bits) - (f.has_infinity ? 2 : 1) - f.bias;
}

/// floor(log2 |x|) + shift, for a double whose value type t can represent. The result is at least smallest_exponent(t)
/// + shift, which is the exponent of subnormal numbers, and at most one more than the largest exponent.
inline value exponent_of(const value& x, dtype t, int shift) {
  constexpr double per_log2 = 1.44269504088896340736;
  // Rounding must not push a power of two below its exponent. The slack pushes no other value up to the next exponent:
  // a value with at most 26 significant bits that is less than a power of two is too far from it.
  constexpr double slack = 1.0 / (1 << 27);
  graph& g = x.owner();
  const value e = unary("Floor", add(mul(log(x), per_log2), shift + slack));
  return clip(e, scalar(g, dtype::f64, smallest_exponent(t) + shift),
              scalar(g, dtype::f64, largest_exponent(t) + 1 + shift));
}

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// x < 0, or x is -0
inline value is_negative(const value& x) { return less(add(x, reciprocal(x)), 0); }

/// The bit pattern of a floating-point number of 32 bits or fewer. NaN becomes the quiet NaN without payload.
inline value narrow_float_bits(const value& number) {
  const dtype t = number.dtype(), u = unsigned_of(t);
  const float_format f = format_of(t);
  graph& g = number.owner();
  const value x = cast(number, dtype::f64);
  const auto constant = [&](double v) { return scalar(g, dtype::f64, v); };
  const value a = minimum(abs(x), std::ldexp(1.0, largest_exponent(t) + 1));
  // With a = units 2^k, the pattern is (k - smallest k) 2^m + units, both for normal and for subnormal numbers.
  const value k = exponent_of(a, t, -f.mantissa_bits);
  const double unit = std::ldexp(1.0, f.mantissa_bits), offset = -(smallest_exponent(t) - f.mantissa_bits) * unit;
  const double sign = std::ldexp(1.0, bits(t) - 1);
  const value pattern = add(mul(k, unit), div(a, exp2(k)));
  const value whole = add(pattern, where(is_negative(x), constant(offset + sign), constant(offset)));
  const auto nan = static_cast<double>(encode_float(t, std::numeric_limits<double>::quiet_NaN()));
  return cast(where(is_nan(x), constant(nan), whole), u);
}

/// The floating-point number of 32 bits or fewer that has a bit pattern.
inline value narrow_float_of_bits(const value& pattern, dtype t) {
  const float_format f = format_of(t);
  graph& g = pattern.owner();
  const double unit = std::ldexp(1.0, f.mantissa_bits), sign = std::ldexp(1.0, bits(t) - 1);
  const value x = cast(pattern, dtype::f64);
  const value negative = greater_equal(x, sign);
  const value magnitude = where(negative, sub(x, sign), x);
  // The exponent field minus one. Subnormal numbers have the scale of the smallest normal numbers.
  const value k = maximum(sub(floor(mul(magnitude, 1 / unit)), 1), 0);
  const value units = sub(magnitude, mul(k, unit));
  const value a = mul(units, exp2(add(k, smallest_exponent(t) - f.mantissa_bits)));
  const double infinity = std::ldexp((1 << f.exponent_bits) - 1, f.mantissa_bits);
  const value number = where(negative, neg(a), a);
  return cast(
      where(greater(magnitude, infinity), scalar(g, dtype::f64, std::numeric_limits<double>::quiet_NaN()), number), t);
}

/// The bit pattern of a double as a uint64.
inline value double_bits(const value& x) {
  constexpr double per_log2 = 1.44269504088896340736, slack = 1e-9;
  graph& g = x.owner();
  const auto constant = [&](double v) { return scalar(g, dtype::f64, v); };
  const value a = abs(x);
  // `low` is the exponent or one less, so the scaled number is below 4.
  const value low = clip(floor(sub(mul(log(a), per_log2), slack)), constant(-1022), constant(1022));
  const value scaled = div(a, exp2(low));
  const value above = greater_equal(scaled, 2);
  const value units = cast(mul(where(above, mul(scaled, 0.5), scaled), 0x1p52), dtype::i64);
  const value field =
      add(cast(low, dtype::i64), where(above, scalar(g, dtype::i64, 1023), scalar(g, dtype::i64, 1022)));
  const value finite = add(mul(field, std::int64_t{1} << 52), units);
  const value ordered = where(less(a, INFINITY), finite, scalar(g, dtype::i64, std::int64_t{0x7ff} << 52));
  const value pattern = add(ordered, where(is_negative(x), scalar(g, dtype::i64, INT64_MIN), scalar(g, dtype::i64, 0)));
  return cast(where(is_nan(x), scalar(g, dtype::i64, std::int64_t{0x7ff8} << 48), pattern), dtype::u64);
}

/// The double that has a bit pattern.
inline value double_of_bits(const value& pattern) {
  graph& g = pattern.owner();
  const value x = cast(pattern, dtype::i64);
  const value negative = less(x, 0);
  const value magnitude = where(negative, sub(x, INT64_MIN), x);
  constexpr std::int64_t unit = std::int64_t{1} << 52;
  const value k = maximum(sub(div(magnitude, unit), 1), 0);
  const value units = cast(sub(magnitude, mul(k, unit)), dtype::f64);
  const value a = mul(units, exp2(cast(sub(k, 1074), dtype::f64)));
  const value number = where(negative, neg(a), a);
  return where(greater(magnitude, std::int64_t{0x7ff} << 52),
               scalar(g, dtype::f64, std::numeric_limits<double>::quiet_NaN()), number);
}

/// Operand i of the node that computes v, if its operator is `op`; absent otherwise.
inline value operand_of(const value& v, std::string_view op, std::size_t i) {
  if (!v) return {};
  graph& g = v.owner();
  const node_id n = g.at(v.id()).producer;
  return n != node_id::none && g.at(n).op == op && i < g.at(n).inputs.size() ? value(g, g.at(n).inputs[i]) : value();
}

/// Returns whether `exponents` and `units` are the two summands of `pattern` in narrow_float_bits(x).
inline bool is_narrow_pattern(const value& exponents, const value& units, const value& x) {
  const value k = operand_of(exponents, "Mul", 0), a = operand_of(units, "Div", 0);
  const value power = operand_of(operand_of(units, "Div", 1), "Pow", 1);
  const value log2 = operand_of(operand_of(operand_of(k, "Clip", 0), "Floor", 0), "Add", 0);
  const value logarithm = operand_of(operand_of(log2, "Mul", 0), "Log", 0);
  return k && same_value(k, power) && a && same_value(a, logarithm) &&
         same_value(operand_of(operand_of(a, "Min", 0), "Abs", 0), x);
}
/// Returns whether `ordered` is the value of this name in double_bits(x).
inline bool is_double_pattern(const value& ordered, const value& x) {
  return same_value(operand_of(operand_of(operand_of(ordered, "Where", 0), "Less", 0), "Abs", 0), x) &&
         uniform_integer(operand_of(ordered, "Where", 2)) == std::int64_t{0x7ff} << 52;
}

/// True where to_bits made `pattern`, a signed or unsigned integer, from a negative floating-point number or -0. Absent
/// unless the graph shows that to_bits made the pattern by arithmetic.
inline value sign_of_float_bits(const value& pattern) {
  value whole = operand_of(pattern, "Cast", 0);
  if (whole && is_integer(whole.dtype())) whole = operand_of(whole, "Cast", 0);
  const value x = operand_of(operand_of(whole, "Where", 0), "IsNaN", 0), sum = operand_of(whole, "Where", 2);
  const value magnitude = operand_of(sum, "Add", 0), sign = operand_of(sum, "Add", 1);
  const value negative = operand_of(sign, "Where", 0),
              reciprocals = operand_of(operand_of(negative, "Less", 0), "Add", 1);
  if (!x || !same_value(operand_of(reciprocals, "Reciprocal", 0), x)) return {};
  if (bits(pattern.dtype()) == 64) return is_double_pattern(magnitude, x) ? negative : value();
  if (!is_narrow_pattern(operand_of(magnitude, "Add", 0), operand_of(magnitude, "Add", 1), x)) return {};
  const value number = operand_of(x, "Cast", 0);
  return number && number.dtype() == dtype::f32 ? is_negative(number) : negative;
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// The bits of any element type as unsigned integers of its width.
inline value to_bits(const value& x) {
  const dtype t = x.dtype(), u = unsigned_of(t);
  if (!is_floating(t)) return cast(x, u);
  if (detail::has(x.owner(), detail::feature::bit_cast) && bits(t) >= 16)
    return x.owner().emit("BitCast", {x}, {u, x.dims()}, {{"to", static_cast<std::int64_t>(u)}});
  return t == dtype::f64 ? detail::double_bits(x) : detail::narrow_float_bits(x);
}

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// The 8-bit floating-point number with a bit pattern, looked up in a table of all patterns.
inline value byte_float_of_bits(const value& pattern, dtype t) {
  std::vector<double> numbers;
  for (std::uint64_t i = 0; i < 256; ++i) numbers.push_back(decode_float(t, i));
  const value table = array(pattern.owner(), dtype::f32, {256}, std::span<const double>(numbers));
  return cast(gather(table, cast(pattern, dtype::i32), 0), t);
}

/// 2^e (1 + m 2^-n) if the pattern is the bits of an exponent or-ed with a shifted mantissa. JAX makes uniform random
/// numbers in this way. Absent if the graph does not show that form.
inline value float_of_shifted_bits(const value& pattern, dtype t) {
  graph& g = pattern.owner();
  const float_format f = format_of(t);
  const auto producer = [&](const value& v, std::string_view op) -> const node* {
    const node_id n = g.at(v.id()).producer;
    return n != node_id::none && g.at(n).op == op ? &g.at(n) : nullptr;
  };
  const node* either = producer(pattern, "BitwiseOr");
  if (!either) return {};
  for (std::size_t i : {0u, 1u}) {
    const value mantissa(g, either->inputs[i]);
    const auto exponent = uniform_integer({g, either->inputs[1 - i]});
    const node* shift = producer(mantissa, "BitShift");
    if (!exponent || !shift || std::get<std::string>(shift->find("direction")->value) != "RIGHT") continue;
    const auto amount = uniform_integer({g, shift->inputs[1]});
    const auto bits_of_exponent = static_cast<std::uint64_t>(*exponent);
    if (!amount || *amount < bits(t) - f.mantissa_bits ||
        bits_of_exponent & ((std::uint64_t{1} << f.mantissa_bits) - 1))
      continue;
    const double one = decode_float(t, bits_of_exponent);
    if (!(one > 0) || !std::isfinite(one)) continue;
    return add(mul(cast(mantissa, t), std::ldexp(one, -f.mantissa_bits)), one);
  }
  return {};
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// Reinterprets unsigned integers as element type t of the same width.
inline value from_bits(const value& x, dtype t) {
  if (!is_floating(t)) return cast(x, t);
  if (detail::has(x.owner(), detail::feature::bit_cast) && bits(t) >= 16)
    return x.owner().emit("BitCast", {x}, {t, x.dims()}, {{"to", static_cast<std::int64_t>(t)}});
  if (const value number = detail::float_of_shifted_bits(x, t)) return number;
  if (bits(t) == 8) return detail::byte_float_of_bits(x, t);
  return t == dtype::f64 ? detail::double_of_bits(x) : detail::narrow_float_of_bits(x, t);
}

}  // namespace jax2onnx::ops
