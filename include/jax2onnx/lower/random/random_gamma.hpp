// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include <jax2onnx/lower/control/repeat.hpp>
#include <jax2onnx/lower/random/prng.hpp>
#include <jax2onnx/lower/random/types.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/special/erf.hpp>
#include <jax2onnx/ops/math.hpp>

/// random_gamma, as nested Loops: every element has a separate key, and draws until one of its candidates is accepted.
/// Sources: _gamma_one of jax/_src/random.py; Marsaglia & Tsang, "A simple method for generating gamma variables".
namespace jax2onnx::lower {

/// The keys at `index` of the last axis.
inline jax_value key_at(const jax_value& keys, std::int64_t index) {
  return each_part(keys, [&](const value& word) { return pick(word, index, word.rank() - 1); });
}

/// jax.random.uniform in [0, 1), in steps of 2^-mantissa_bits, for every key.
inline value uniform_of_keys(const site& s, const jax_value& keys) {
  const dtype t = s.out_dtype();
  const int kept = format_of(t).mantissa_bits, width = kept < 8 ? 8 : bits(t);
  const value drawn = scheme(s.in_type(0)).bits_of_each(s, keys, width),
              wide = width < 32 ? cast(drawn, dtype::u32) : drawn;
  return mul(cast(shift_right_by(wide, scalar(s.g, wide.dtype(), width - kept)), t), std::ldexp(1.0, -kept));
}
/// jax.random.normal for every key.
inline value normal_of_keys(const site& s, const jax_value& keys) {
  const dtype t = s.out_dtype();
  const double low = std::ldexp(1.0, -format_of(t).mantissa_bits - 1) - 1;
  const value u = maximum(add(mul(uniform_of_keys(s, keys), 2), low), low);
  return mul(cast(erf_inv(at_least_float(u)), t), std::sqrt(2.0));
}

inline value holds_anywhere(const value& truth) { return reduce_truth("ReduceMax", truth, iota_axes(truth.rank())); }

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// A normal variate x with v = 1 + c x > 0, and v. x and v are arbitrary where `wanted` is false.
inline std::array<value, 2> positive_normal(const site& s, const jax_value& keys, const value& c, const value& wanted) {
  const auto number = [&](double v) { return scalar(s.g, s.out_dtype(), v); };
  const value start = where(wanted, number(-1), number(1)), none = filled(s.g, s.out_dtype(), s.out_dims(), 0);
  const carried_values last = repeat_while(
      s.g, scalar(s.g, dtype::i64, unlimited), {keys, none, start}, [&](const value&, const carried_values& in) {
        const jax_value pair = scheme(s.in_type(0)).split_of_each(s, in[0], {2});
        const value open = less_equal(in[2].re(), 0), drawn = normal_of_keys(s, key_at(pair, 1));
        const value x = where(open, drawn, in[1].re()), v = where(open, add(mul(drawn, c), 1), in[2].re());
        return loop_turn{{key_at(pair, 0), x, v}, holds_anywhere(less_equal(v, 0))};
      });
  return {last[1].re(), last[2].re()};
}

/// The cube v^3 of the accepted candidate. The variate of shape d + 1/3 >= 1 is d v^3.
inline value accepted_cube(const site& s, const jax_value& keys, const value& d) {
  const value c = div(scalar(s.g, s.out_dtype(), 1.0 / 3), sqrt(d));
  const carried_values first{keys, filled(s.g, s.out_dtype(), s.out_dims(), 1),
                             filled(s.g, dtype::boolean, s.out_dims(), 1)};
  return repeat_while(
             s.g, scalar(s.g, dtype::i64, unlimited), first,
             [&](const value&, const carried_values& in) {
               const jax_value three = scheme(s.in_type(0)).split_of_each(s, in[0], {3});
               const value open = in[2].re();
               const auto [x, v] = positive_normal(s, key_at(three, 1), c, open);
               const value square = mul(x, x), cube = mul(mul(v, v), v), u = uniform_of_keys(s, key_at(three, 2));
               const value one = scalar(s.g, s.out_dtype(), 1);
               const value outside = greater_equal(u, sub(one, mul(mul(square, square), 0.0331)));
               const value bound = add(mul(square, 0.5), mul(d, add(sub(one, cube), log(cube))));
               const value rejected = logical_and(open, logical_and(outside, greater_equal(log(u), bound)));
               return loop_turn{{key_at(three, 0), where(open, cube, in[1].re()), rejected}, holds_anywhere(rejected)};
             })[1]
      .re();
}

/// random_gamma key shape: a gamma variate for every key, or its logarithm if log_space is set. For a shape a below 1,
/// the variate of shape a + 1 is multiplied by u^(1 / a) for a uniform u.
inline jax_values random_gamma(const site& s) {
  const value given = s.in(1);
  const jax_value& key = s.in_parts(0);
  const bool log_space = s.param_or("log_space", false);
  if (is_empty(given.dims())) return {given};
  const shape rest = given.dims().tail(key.re().rank());
  const jax_value keys = scheme(s.in_type(0)).split(s, key, rest);
  const value large = greater_equal(given, 1);
  const value d = sub(where(large, given, add(given, 1)), 1.0 / 3);
  const jax_value pair = scheme(s.in_type(0)).split_of_each(s, keys, {2});
  const value cube = accepted_cube(s, key_at(pair, 0), d), u = uniform_of_keys(s, key_at(pair, 1));
  const value one = scalar(s.g, s.out_dtype(), 1), inverse = reciprocal(given);
  if (!log_space) return {mul(mul(d, cube), where(large, one, pow(sub(one, u), inverse)))};
  const value uniform_log = cast(log1p(neg(at_least_float(u))), s.out_dtype());
  const value none = logical_or(large, equal(uniform_log, 0));
  return {add(add(log(d), log(cube)), where(none, scalar(s.g, s.out_dtype(), 0), mul(uniform_log, inverse)))};
}

inline constexpr lowering random_gamma_rows[] = {
    {"random_gamma", random_gamma, "Loop, Scan, Log, Sqrt, Pow", random_gamma_signature, parts_rule::own},
};

}  // namespace jax2onnx::lower
