#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>

/// Jacobi's rotations from one side (Hestenes): they make the columns of a matrix orthogonal. Source: Demmel & Veselić,
/// "Jacobi's method is more accurate than QR"; the pairs of a step are disjoint (Brent & Luk), so that all rotate at once.
namespace jax2onnx::linalg {

/// Where the columns of the next step come from: pair k is the columns k and half + k. One stays, the others go round, so
/// that every pair meets in columns - 1 steps, after which all are back.
inline value round_robin(graph& g, dim half) {
  if (half.is_constant()) {
    const std::int64_t h = half.extent();
    ints from;
    for (std::int64_t k = 0; k < 2 * h; ++k)
      from.push_back(k == 0 ? 0 : k == 1 ? h : k < h ? k - 1 : k == 2 * h - 1 ? h - 1 : k + 1);
    return int64s(g, from);
  }
  using jax2onnx::where, jax2onnx::sub, jax2onnx::add;
  const value k = counted(g, g.dims().mul(half, 2)), h = dim_value(g, half);
  const value turned = where(jax2onnx::less(k, h), sub(k, 1), where(equal(k, sub(add(h, h), 1)), sub(h, 1), add(k, 1)));
  return where(equal(k, 0), k, where(equal(k, 1), h, turned));
}

/// The rotations of column pairs: x' = c (x - conj(tau) y), y' = c (y + tau x).
struct column_rotations {
  value active;  ///< the pairs that are not orthogonal yet
  jax_value tau;
  value c;
  /// [..., 1, pairs] from columns x and y. Two are orthogonal when their cosine is not above the tolerance.
  column_rotations(const jax_value& x, const jax_value& y, double tolerance) {
    using jax2onnx::add, jax2onnx::mul, jax2onnx::sub, jax2onnx::where;
    const value a = sum(cx::norm(x), -2), b = sum(cx::norm(y), -2);
    const jax_value product = sum(cx::mul(cx::conj(x), y), -2);
    const value size = cx::norm(product);
    active = greater(size, mul(mul(a, b), tolerance * tolerance));
    const value difference = sub(b, a), root = jax2onnx::sqrt(add(mul(difference, difference), mul(size, 4)));
    const value divisor = mul(add(difference, with_sign(root, difference)), 0.5);
    tau = keep(active, cx::unscale(product, where(active, divisor, one_of(x))));
    c = reciprocal(jax2onnx::sqrt(add(cx::norm(tau), 1)));
  }
  jax_value first(const jax_value& x, const jax_value& y) const {
    return cx::scale(cx::sub(x, cx::mul(cx::conj(tau), y)), c);
  }
  jax_value second(const jax_value& x, const jax_value& y) const { return cx::scale(cx::add(y, cx::mul(tau, x)), c); }
};

/// Zeros below and to the right.
inline jax_value padded(const jax_value& a, dim rows, dim columns) {
  return cx::map(a, [&](const value& v) {
    dim_table& dims = v.owner().dims();
    shape low(v.dims().size(), dim(0)), high = low;
    high[high.size() - 2] = dims.sub(rows, row_count(v));
    high.back() = dims.sub(columns, column_count(v));
    return pad(v, low, high, zero_of(v));
  });
}

/// Rotates the columns of `a` until their first `m` elements are orthogonal.
inline jax_value orthogonalized(const jax_value& a, dim m, double tolerance) {
  graph& g = owner(a);
  dim_table& dims = g.dims();
  const dim n = column_count(a), rows = row_count(a), half = dims.floordiv(dims.add(n, 1), 2), even = dims.mul(half, 2);
  const value places = round_robin(g, half);
  const dim steps = dims.sub(even, 1);
  shape pairs = a.re().dims();
  pairs[pairs.size() - 2] = 1;
  pairs.back() = half;
  const auto step = [&](const value&, const matrices& carried) {
    const jax_value x = slice(carried[0], -1, 0, half), y = slice(carried[0], -1, half, even);
    const column_rotations r(slice(x, -2, 0, m), slice(y, -2, 0, m), tolerance);
    const jax_value rotated = joined(r.first(x, y), r.second(x, y), -1);
    const auto move = [&](const value& v) { return gather(v, places, v.rank() - 1); };
    return matrices{cx::map(rotated, move), logical_or(carried[1].re(), r.active)};
  };
  const auto sweep = [&](const value&, const matrices& carried) {
    const matrices last = repeat(g, steps, {carried[0], filled(g, dtype::boolean, pairs, 0)}, step);
    const value& any = last[1].re();
    return loop_turn{{last[0]}, cast(reduce("ReduceMax", cast(any, dtype::u8), iota_axes(any.rank())), dtype::boolean)};
  };
  constexpr std::int64_t most_sweeps = 40;
  const jax_value first = padded(a, rows, even);
  return slice(repeat_while(g, scalar(g, dtype::i64, most_sweeps), {first}, sweep)[0], -1, 0, n);
}

/// Real and complex matrices in double, divided by their largest element, so that no square overflows or vanishes.
struct scaled_matrices {
  jax_value a;
  value scale;       ///< [..., 1, 1]
  value poison;      ///< [..., 1, 1]: zero, or NaN for a matrix with an element that is not finite
  double tolerance;  ///< of cosines: float results need less than double
  explicit scaled_matrices(const jax_value& given) {
    const auto widen = [](const value& v) { return cast(v, dtype::f64); };
    tolerance = cx::part_dtype(given) == dtype::f64 ? 4e-15 : 1e-9;
    const jax_value wide = cx::map(given, widen);
    const std::int64_t axis = rank(wide) - 2;
    value size = jax2onnx::abs(wide.re());
    if (!cx::is_real(wide)) size = maximum(size, jax2onnx::abs(wide.im()));
    const value largest = reduce("ReduceMax", size, {axis, axis + 1}, true);
    poison = jax2onnx::mul(reduce("ReduceSum", size, {axis, axis + 1}, true), 0);
    scale = jax2onnx::where(greater(largest, 0), largest, one_of(wide));
    a = cx::unscale(wide, scale);
  }
};

/// Column vectors times the phase that makes row k of them real and positive; real ones stay.
inline jax_value phase(const jax_value& a, const value& k) {
  const jax_value p = row(a, k);
  const value size = cx::abs(p), zero = equal(size, 0);
  return cx::where(zero, jax_value(one_of(p)), cx::conj(cx::unscale(p, jax2onnx::where(zero, one_of(p), size))));
}

/// The columns of `a` in the order that `places` [..., 1, n] says.
inline jax_value permuted_columns(const jax_value& a, const value& places) {
  return cx::map(a, [&](const value& v) {
    shape dims = v.dims();
    dims.back() = places.dims().back();
    return gather_elements(v, broadcast_to(places, dims), v.rank() - 1);
  });
}

}  // namespace jax2onnx::linalg
