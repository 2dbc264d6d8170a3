#pragma once

#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/special/convergence.hpp>
#include <jax2onnx/lower/special/gamma.hpp>

/// igamma, igammac, igamma_grad_a and random_gamma_grad, in double: a series where x is small, a continued fraction
/// elsewhere. Sources: jax/_src/lax/special.py; Cephes (igam.c).
namespace jax2onnx::lower {

inline constexpr std::int64_t most_terms = 10000;

/// What to compute of the same sums: the function, igamma_grad_a or random_gamma_grad.
enum class gamma_part : std::uint8_t { value, derivative, sample_derivative };

/// The common factor exp(a log x - x - lgamma(a)), and where it does not underflow.
struct gamma_front {
  value factor, enough;
  gamma_front(const value& a, const value& x) {
    const value exponent = sub(sub(mul(a, log(x)), x), lgamma(a));
    enough = greater_equal(exponent, -709.78271289338397);
    factor = exp(exponent);
  }
};

/// The series 1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + … of the lower function, and its derivative with respect to a.
inline value gamma_series(const value& front, const value& a, const value& x, const value& enabled, gamma_part part) {
  graph& g = a.owner();
  const bool slope = part != gamma_part::value;
  carried_values first{cast(enabled, dtype::i32), a, broadcast_to(number_like(a, 1), a.dims()),
                       broadcast_to(number_like(a, 1), a.dims())};
  if (slope) first.insert(first.end(), 2, jax_value(broadcast_to(number_like(a, 0), a.dims())));
  const auto step = [&](const value&, const carried_values& carried) {
    const value on = cast(carried[0].re(), dtype::boolean), r = add(carried[1].re(), 1), c = carried[2].re();
    const value ratio = div(x, r), next = mul(c, ratio), ans = add(carried[3].re(), next);
    carried_values out{value(), r, where(on, next, c), where(on, ans, carried[3].re())};
    value moving = div(next, ans);
    if (slope) {
      const value dc = sub(mul(carried[4].re(), ratio), div(mul(c, x), mul(r, r))), dans = add(carried[5].re(), dc);
      out.push_back(where(on, dc, carried[4].re()));
      out.push_back(where(on, dans, carried[5].re()));
      moving = abs(div(dc, dans));
    }
    const value going = both(on, greater(moving, epsilon_f64));
    out[0] = cast(going, dtype::i32);
    return loop_turn{out, any(going)};
  };
  const carried_values last = repeat_while(g, scalar(g, dtype::i64, most_terms), first, step);
  const value ans = last[3].re();
  if (!slope) return div(mul(ans, front), a);
  const value inner = add(mul(ans, sub(log(x), digamma(add(a, 1)))), last[5].re());
  return part == gamma_part::derivative ? div(mul(front, inner), a) : neg(div(mul(inner, x), a));
}

/// The continued fraction of the upper function, by the recurrence of its numerators p and denominators q, and their
/// derivatives with respect to a.
inline value gamma_fraction(const value& front, const value& a, const value& x, const value& enabled, gamma_part part) {
  graph& g = a.owner();
  const bool slope = part != gamma_part::value;
  const auto full = [&](double v) { return broadcast_to(number_like(a, v), a.dims()); };
  const value y0 = sub(number_like(a, 1), a), z0 = add(add(x, y0), 1);
  const value p1 = add(x, 1), q1 = mul(z0, x), ans0 = div(p1, q1);
  // The loop-carried values: enabled, ans, y, z, p1, q1, p2, q2; dp1, dq1, dp2, dq2, dans.
  carried_values first{cast(enabled, dtype::i32), ans0, y0, z0, p1, q1, full(1), x};
  if (slope) {
    for (const value& v : {full(0), neg(x), full(0), full(0), div(mul(ans0, x), q1)}) first.push_back(v);
  }
  const auto step = [&](const value& i, const carried_values& v) {
    const auto at = [&](std::size_t k) { return v[k].re(); };
    const value on = cast(at(0), dtype::boolean), c = cast(add(i, 1), dtype::f64);
    const value y = add(at(2), 1), z = add(at(3), 2), yc = mul(y, c);
    const value p = sub(mul(at(4), z), mul(at(6), yc)), q = sub(mul(at(5), z), mul(at(7), yc));
    const value fine = logical_not(equal(q, 0)), r = div(p, q);
    const value ans = where(fine, r, at(1));
    value change = where(fine, abs(div(sub(at(1), r), r)), number_like(a, 1));
    std::vector<value> next{ans, y, z, p, q, at(4), at(5)};
    std::vector<std::size_t> scaled{3, 4, 5, 6};
    if (slope) {
      const value dp = add(sub(sub(mul(at(8), z), at(4)), mul(at(10), yc)), mul(at(6), c));
      const value dq = add(sub(sub(mul(at(9), z), at(5)), mul(at(11), yc)), mul(at(7), c));
      const value dans = where(fine, div(sub(dp, mul(ans, dq)), q), at(12));
      change = where(fine, abs(sub(dans, at(12))), number_like(a, 1));
      for (const value& d : {dp, dq, at(8), at(9), dans}) next.push_back(d);
      for (std::size_t k = 7; k < 11; ++k) scaled.push_back(k);
    }
    const value scale = where(greater(abs(p), 1 / epsilon_f64), number_like(a, epsilon_f64), number_like(a, 1));
    for (std::size_t k : scaled) next[k] = mul(next[k], scale);
    const value going = both(on, greater(change, epsilon_f64));
    carried_values out{cast(going, dtype::i32)};
    for (std::size_t k = 0; k < next.size(); ++k) out.push_back(where(on, next[k], at(k + 1)));
    return loop_turn{out, any(going)};
  };
  const carried_values last = repeat_while(g, scalar(g, dtype::i64, 2000), first, step);
  const value ans = last[1].re();
  if (!slope) return mul(ans, front);
  const value inner = add(mul(ans, sub(log(x), digamma(a))), last[12].re());
  return part == gamma_part::derivative ? mul(front, inner) : neg(mul(inner, x));
}

inline value out_of_domain(const value& a, const value& x) {
  const value nan = either(is_nan(a), is_nan(x)), zeros = both(equal(a, 0), equal(x, 0));
  return either(either(less(x, 0), less(a, 0)), either(zeros, nan));
}

/// The regularized lower (igamma) and upper (igammac) function. Before JAX 0.5, an order of 0 was outside their domain,
/// and igammac was 1 there and at x = 0.
inline value igamma(const value& a, const value& x, bool since_0_5) {
  const value wrong = since_0_5 ? out_of_domain(a, x) : either(equal(a, 0), out_of_domain(a, x));
  const value at_end = equal(x, infinity_f64), at_zero = equal(x, 0);
  const value upper = both(greater_equal(x, 1), greater(x, a));
  const gamma_front front(a, x);
  const value enabled = both(both(front.enough, logical_not(wrong)), logical_not(either(at_end, at_zero)));
  const value high =
      sub(number_like(a, 1), gamma_fraction(front.factor, a, x, both(enabled, upper), gamma_part::value));
  const value low = gamma_series(front.factor, a, x, both(enabled, logical_not(upper)), gamma_part::value);
  const value y = where(at_zero, number_like(a, 0), where(upper, high, low));
  return where(wrong, number_like(a, nan_f64), where(at_end, number_like(a, 1), y));
}
inline value igammac(const value& a, const value& x, bool since_0_5) {
  const value wrong = since_0_5 ? out_of_domain(a, x) : either(less_equal(x, 0), less_equal(a, 0));
  const value outside = number_like(a, since_0_5 ? nan_f64 : 1);
  const value vanishes = since_0_5 ? either(equal(x, infinity_f64), equal(a, 0)) : equal(x, infinity_f64);
  const value lower = either(less(x, 1), less(x, a));
  const gamma_front front(a, x);
  const value enabled = both(both(front.enough, logical_not(wrong)), logical_not(vanishes));
  const value low = sub(number_like(a, 1), gamma_series(front.factor, a, x, both(enabled, lower), gamma_part::value));
  const value high = gamma_fraction(front.factor, a, x, both(enabled, logical_not(lower)), gamma_part::value);
  return where(wrong, outside, where(vanishes, number_like(a, 0), where(lower, low, high)));
}
template <value (*F)(const value&, const value&, bool)>
jax_values incomplete_gamma(const site& s) {
  return {cast(F(double_operand(s, 0), double_operand(s, 1), s.since_0_5()), s.out_dtype())};
}

template <gamma_part Part>
value igamma_slope(const value& a, const value& x) {
  const value wrong = either(either(less(x, 0), less_equal(a, 0)), either(is_nan(a), is_nan(x))), at_zero = equal(x, 0);
  const value upper = both(greater(x, 1), greater(x, a));
  const gamma_front front(a, x);
  const value enabled = both(both(front.enough, logical_not(wrong)), logical_not(at_zero));
  const value high = neg(gamma_fraction(front.factor, a, x, both(enabled, upper), Part));
  const value low = gamma_series(front.factor, a, x, both(enabled, logical_not(upper)), Part);
  return where(wrong, number_like(a, nan_f64), where(at_zero, number_like(a, 0), where(upper, high, low)));
}

inline constexpr lowering incomplete_gamma_rows[] = {
    {"igamma", incomplete_gamma<igamma>, "Loop, in double", float_binary},
    {"igamma_grad_a", double2<igamma_slope<gamma_part::derivative>>, "Loop, in double", float_binary},
    {"igammac", incomplete_gamma<igammac>, "Loop, in double", float_binary},
    {"random_gamma_grad", double2<igamma_slope<gamma_part::sample_derivative>>, "Loop, in double", float_binary},
};

}  // namespace jax2onnx::lower
