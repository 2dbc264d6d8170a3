#pragma once

#include <cmath>

#include <jax2onnx/build/float_bits.hpp>
#include <jax2onnx/lower/map.hpp>

/// Comparison and selection.
namespace jax2onnx::lower {

inline value not_equal(const value& a, const value& b) {
  if (is_boolean(a.dtype())) return logical_xor(a, b);
  return logical_not(equal(a, b));
}

/// |x| < infinity, which NaN is not
inline value is_finite(const value& x) { return less(abs(x), INFINITY); }

/// Floating-point numbers as integers of the same total order: -NaN < -inf < … < -0 < 0 < … < inf < NaN. The sign of NaN
/// is not told from arithmetic; it counts as positive.
inline value total_order(const value& x) {
  if (!is_floating(x.dtype())) return x;
  const dtype i = signed_of(x.dtype());
  const value pattern = cast(to_bits(x), i);
  const auto highest = scalar(x.owner(), i, static_cast<std::int64_t>(largest_integer(i)));
  return where(less(pattern, 0), bit_xor(pattern, highest), pattern);
}
template <op_name Op>
results compare_total(const site& s) {
  return {compare(Op.view(), total_order(s.in(0)), total_order(s.in(1)))};
}

/// select_n which case0 case1 …: case0 when which is false, 0 or less, the last one when it is too large.
inline results select_n(const site& s) {
  const value which = s.ins()[0].re();
  if (is_boolean(which.dtype())) return {where(which, s.in(2), s.in(1))};
  value chosen = s.in(s.arity() - 1);
  for (std::size_t i = s.arity() - 2; i >= 1; --i) chosen = where(less(which, static_cast<std::int64_t>(i)), s.in(i), chosen);
  return {chosen};
}

/// clamp min x max; JAX takes max(min, x) first, then min(max, that). Clip does the same to numbers.
inline results clamp(const site& s) {
  const value low = s.in(0), x = s.in(1), high = s.in(2);
  const auto number = [](const value& bound) {
    if (!is_floating(bound.dtype())) return bound.rank() == 0;
    const auto known = uniform_number(bound);
    return bound.rank() == 0 && known && !std::isnan(*known);
  };
  if (number(low) && number(high)) return {clip(x, low, high)};
  return {minimum(maximum(x, low), high)};
}

inline constexpr lowering compare_rows[] = {
    {"clamp", clamp, "Clip, or Max and Min"},
    {"eq", compare2<"Equal">, "Equal"},
    {"eq_to", compare_total<"Equal">, "Equal on the bits"},
    {"ge", compare2<"GreaterOrEqual">, "GreaterOrEqual"},
    {"gt", compare2<"Greater">, "Greater"},
    {"is_finite", apply1<is_finite>, "Abs, Less"},
    {"le", compare2<"LessOrEqual">, "LessOrEqual"},
    {"le_to", compare_total<"LessOrEqual">, "LessOrEqual on the bits"},
    {"lt", compare2<"Less">, "Less"},
    {"lt_to", compare_total<"Less">, "Less on the bits"},
    {"ne", apply2<not_equal>, "Equal, Not"},
    {"select_n", select_n, "Where", parts_rule::each},
};

}  // namespace jax2onnx::lower
