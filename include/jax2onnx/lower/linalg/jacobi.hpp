// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>

/// One-sided Jacobi (Hestenes) rotations, which make the columns of a matrix orthogonal: a Loop of sweeps, each a Loop
/// of steps that rotate disjoint pairs of columns at once. Sources: Demmel & Veselić, "Jacobi's method is more accurate
/// than QR"; Brent & Luk, "The solution of singular-value and symmetric eigenvalue problems on multiprocessor arrays".
namespace jax2onnx::lower::linalg {

/// The round-robin order: for every column of the next step, its position in this step. Columns k and half + k are a
/// pair. Column 0 stays and all other columns rotate, so that every pair meets once in 2 half - 1 steps; after these
/// steps, all columns are back at their positions.
inline ints round_robin(std::int64_t half) {
  ints from;
  for (std::int64_t k = 0; k < 2 * half; ++k)
    from.push_back(k == 0 ? 0 : k == 1 ? half : k < half ? k - 1 : k == 2 * half - 1 ? half - 1 : k + 1);
  return from;
}
/// The round-robin order, computed by the model if the extent is large or symbolic.
inline value round_robin(graph& g, dim half) {
  if (half.is_constant() && half.extent() <= longest_table) return int64s(g, round_robin(half.extent()));
  const value k = counted(g, g.dims().mul(half, 2)), h = dim_value(g, half);
  const value moved = where(less(k, h), sub(k, 1), where(equal(k, sub(add(h, h), 1)), sub(h, 1), add(k, 1)));
  return where(equal(k, 0), k, where(equal(k, 1), h, moved));
}

/// Columns and rows [begin, end) of matrices [n, m, ...].
inline jax_value columns_between(const jax_value& a, dim begin, dim end) {
  return each_part(a, [&](const value& v) { return slice(v, 0, begin, end); });
}
inline jax_value rows_between(const jax_value& a, dim begin, dim end) {
  return each_part(a, [&](const value& v) { return slice(v, 1, begin, end); });
}

/// The rotations that make column pairs x, y orthogonal: x' = c (x - conj(tau) y), y' = c (y + tau x).
struct column_rotations {
  value active;  ///< the pairs that are not orthogonal yet
  jax_value tau;
  value c;
  /// The columns are [pairs, m, ...], the rotations [pairs, 1, ...]. Columns count as orthogonal if the absolute value
  /// of their cosine is at most `tolerance`.
  column_rotations(const jax_value& x, const jax_value& y, double tolerance) {
    const auto sum_of_rows = [](const value& v) { return reduce("ReduceSum", v, {1}, true); };
    const value a = sum_of_rows(cx::norm(x)), b = sum_of_rows(cx::norm(y));
    const jax_value product = each_part(cx::mul(cx::conj(x), y), sum_of_rows);
    const value size = cx::norm(product);
    active = greater(size, mul(mul(a, b), tolerance * tolerance));
    const value difference = sub(b, a), root = sqrt(add(mul(difference, difference), mul(size, 4)));
    const value divisor = mul(add(difference, with_sign(root, difference)), 0.5);
    tau = keep(active, cx::unscale(product, where(active, divisor, one_of(x))));
    c = reciprocal(sqrt(add(cx::norm(tau), 1)));
  }
  jax_value first(const jax_value& x, const jax_value& y) const {
    return cx::scale(cx::sub(x, cx::mul(cx::conj(tau), y)), c);
  }
  jax_value second(const jax_value& x, const jax_value& y) const { return cx::scale(cx::add(y, cx::mul(tau, x)), c); }
};

/// `a` extended to `rows` by `columns` with zeros below and to the right.
inline jax_value zero_padded(const jax_value& a, dim rows, dim columns) {
  return each_part(a, [&](const value& v) {
    dim_table& dims = v.owner().dims();
    shape low(v.dims().size(), dim(0)), high = low;
    high[high.size() - 2] = dims.sub(rows, row_count(v));
    high.back() = dims.sub(columns, column_count(v));
    return pad(v, low, high, zero_of(v));
  });
}

/// orthogonal_columns() for two columns [2, rows, ...]. The rounding error of a rotation is relative to the shorter
/// column before the rotation. This column may become much shorter, so a second rotation is needed, and a third one for
/// nearly parallel columns. For results in float, one rotation in double suffices.
inline jax_value orthogonalized_pair(const jax_value& a, dim m, double tolerance) {
  jax_value x = columns_between(a, 0, 1), y = columns_between(a, 1, 2);
  const int rotations = tolerance > 1e-12 ? 1 : 3;
  for (int i = 0; i < rotations; ++i) {
    const jax_value used_x = rows_between(x, 0, m), used_y = rows_between(y, 0, m);
    const column_rotations r(used_x, used_y, tolerance);
    const jax_value rotated = r.first(x, y);
    y = r.second(x, y);
    x = rotated;
  }
  return cx::zip_parts(x, y, [](const value& p, const value& q) { return concat({p, q}, 0); });
}

/// Columns [even, rows, ...] after rotations that make their first `m` elements orthogonal. `n` is the number of
/// columns without padding, at least 2.
inline jax_value orthogonal_columns(const jax_value& a, dim n, dim m, double tolerance) {
  graph& g = owner(a);
  if (n.is(2)) return orthogonalized_pair(a, m, tolerance);
  const dim even = a.re().extent(0), half = g.dims().floordiv(even, 2);
  const value order = round_robin(g, half);
  const auto step = [&](const value&, const matrices& carried) {
    const jax_value x = columns_between(carried[0], 0, half), y = columns_between(carried[0], half, even);
    const jax_value used_x = rows_between(x, 0, m), used_y = rows_between(y, 0, m);
    const column_rotations r(used_x, used_y, tolerance);
    const jax_value first = r.first(x, y), second = r.second(x, y);
    const auto join = [](const value& p, const value& q) { return concat({p, q}, 0); };
    const auto move = [&](const value& v) { return gather(v, order, 0); };
    return matrices{each_part(cx::zip_parts(first, second, join), move), logical_or(carried[1].re(), r.active)};
  };
  shape pairs = a.re().dims();
  pairs[0] = half;
  pairs[1] = 1;
  const auto sweep = [&](const value&, const matrices& carried) {
    const matrices last = repeat(g, g.dims().sub(even, 1), {carried[0], filled(g, dtype::boolean, pairs, 0)}, step);
    const value& any = last[1].re();
    return loop_turn{{last[0]}, reduce_truth("ReduceMax", any, iota_axes(any.rank()))};
  };
  constexpr std::int64_t most_sweeps = 40;
  return repeat_while(g, scalar(g, dtype::i64, most_sweeps), {a}, sweep)[0];
}

/// `a` after column rotations that make the first `m` elements of the columns orthogonal.
inline jax_value orthogonalized(const jax_value& a, dim m, double tolerance) {
  dim_table& dims = owner(a).dims();
  const dim n = column_count(a);
  if (n.is(1)) return a;
  const dim even = dims.mul(dims.floordiv(dims.add(n, 1), 2), 2);
  const jax_value columns = columns_first(zero_padded(a, row_count(a), even));
  return columns_last(columns_between(orthogonal_columns(columns, n, m, tolerance), 0, n));
}

/// A number [..., 1, 1] for each matrix: zero, or NaN if an element of the matrix or the sum of all elements is not
/// finite.
inline value poison_of(const jax_value& a) {
  const value total = cx::is_real(a) ? a.re() : add(a.re(), a.im());
  return mul(reduce("ReduceSum", total, {rank(a) - 2, rank(a) - 1}, true), 0);
}

/// Matrices in double. Matrices that were given in double are divided by the largest absolute value of a real or
/// imaginary part, so that squares neither overflow nor underflow.
struct scaled_matrices {
  jax_value a;
  value scale;       ///< the divisor: [..., 1, 1], or the scalar 1
  value poison;      ///< poison_of() of the matrices
  double tolerance;  ///< the largest cosine at which columns count as orthogonal; larger for results in float
  explicit scaled_matrices(const jax_value& given) {
    tolerance = cx::part_dtype(given) == dtype::f64 ? 4e-15 : 1e-9;
    const jax_value wide = cast_parts(given, dtype::f64);
    const std::int64_t axis = rank(wide) - 2;
    poison = poison_of(wide);
    if (cx::part_dtype(given) != dtype::f64) {
      a = wide;
      scale = one_of(wide);
      return;
    }
    value size = abs(wide.re());
    if (!cx::is_real(wide)) size = maximum(size, abs(wide.im()));
    const value largest = reduce("ReduceMax", size, {axis, axis + 1}, true);
    scale = where(greater(largest, 0), largest, one_of(wide));
    a = cx::unscale(wide, scale);
  }
};

/// Factors [..., 1, n] that make row k of the matrix real and positive. The factor of an element that is zero is 1.
inline jax_value phase(const jax_value& a, const value& k) {
  const jax_value p = row(a, k);
  const value size = cx::abs(p), zero = equal(size, 0);
  return cx::where(zero, jax_value(one_of(p), zero_of(p)), cx::conj(cx::unscale(p, where(zero, one_of(p), size))));
}

/// The columns of `a` in the order `places` [..., 1, n].
inline jax_value permuted_columns(const jax_value& a, const value& places) {
  return each_part(a, [&](const value& v) {
    shape dims = v.dims();
    dims.back() = places.dims().back();
    return gather_elements(v, broadcast_to(places, dims), v.rank() - 1);
  });
}

}  // namespace jax2onnx::lower::linalg
