// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/lower/linalg/types.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>

/// tridiagonal_solve: elimination with row exchanges in one Scan, back substitution in another.
/// Sources: jax/_src/lax/linalg.py; LAPACK's gtsv.
namespace jax2onnx::lower::linalg {

/// One step of the elimination. The current row is d x[k] + u x[k+1] = b, and the next one is
/// l x[k] + d x[k+1] + u x[k+2] = b. The row with the larger pivot is finished: d x[k] + u x[k+1] + u2 x[k+2] = b.
struct elimination_step {
  jax_value d, u, b;    ///< the other row without x[k], which the next step takes as the current row
  jax_values finished;  ///< d, u, u2 and b of the finished row
  elimination_step(const jax_values& current, const jax_values& next) {
    const jax_value &dk = current[0], &uk = current[1], &bk = current[2];
    const jax_value &l = next[0], &dn = next[1], &un = next[2], &bn = next[3];
    const value exchange = greater(pivot_size(l), pivot_size(dk));
    const jax_value pivot = cx::where(exchange, l, dk), factor = cx::div(cx::where(exchange, dk, l), pivot);
    const auto without = [&](const jax_value& stays, const jax_value& goes) {
      return cx::sub(cx::where(exchange, stays, goes), cx::mul(factor, cx::where(exchange, goes, stays)));
    };
    d = without(uk, dn);
    u = cx::where(exchange, cx::neg(cx::mul(factor, un)), un);
    b = without(bk, bn);
    finished = {pivot, cx::where(exchange, dn, uk), keep(exchange, un), cx::where(exchange, bn, bk)};
  }
};

/// The solution [..., n, k] of tridiagonal systems with the diagonals `lower` (whose first element is not read),
/// `diagonal` and `upper` (whose last element is not read), all [..., n]. NaN if a pivot is zero.
inline jax_value gtsv(const jax_value& lower, const jax_value& diagonal, const jax_value& upper, const jax_value& b) {
  if (is_empty(b)) return b;
  graph& g = owner(b);
  const jax_value diagonals[] = {lower, diagonal, upper};
  const std::int64_t axis = rank(b) - 2;
  const dim n = row_count(b);
  jax_values first, rest;
  for (std::size_t i = 0; i < 4; ++i) {
    const jax_value rows = i < 3 ? as_columns(diagonals[i]) : b;
    if (i > 0) first.push_back(each_part(rows, [&](const value& v) { return pick(v, 0, axis); }));
    rest.push_back(row_range(rows, 1, n));
  }
  const auto as_row = [&](const jax_value& x) {
    return each_part(x, [&](const value& v) { return unsqueeze(v, {axis}); });
  };
  const auto checked_for_zero = [&](const jax_value& x, const value& pivots) {
    const value nan = scalar(g, cx::part_dtype(b), std::numeric_limits<double>::quiet_NaN());
    return cx::where(equal(pivots, 0), jax_value(nan), x);
  };
  if (n.is(1)) return checked_for_zero(as_row(cx::div(first[2], first[0])), as_row(pivot_size(first[0])).re());
  const scan_results down =
      scan_axis(g, first, rest, axis, false, false, [](const jax_values& current, const jax_values& next) {
        const elimination_step e(current, next);
        jax_values out{e.d, e.u, e.b};
        out.insert(out.end(), e.finished.begin(), e.finished.end());
        return out;
      });
  const jax_value end = cx::div(down.last[2], down.last[0]);
  const scan_results up = scan_axis(g, {end, cx::zeros_like(end)}, down.running, axis, true, false,
                                    [](const jax_values& x, const jax_values& row) {
                                      const jax_value known = cx::add(cx::mul(row[1], x[0]), cx::mul(row[2], x[1]));
                                      const jax_value solved = cx::div(cx::sub(row[3], known), row[0]);
                                      return jax_values{solved, x[0], solved};
                                    });
  const value pivots =
      minimum(reduce("ReduceMin", pivot_size(down.running[0]), {axis}, true), as_row(pivot_size(down.last[0])).re());
  return checked_for_zero(stacked(up.running[0], as_row(end)), pivots);
}

inline jax_values tridiagonal_solve(const site& s) {
  if (s.param_or("perturb_singular", false)) s.unsupported("perturb_singular=True is not supported");
  return {gtsv(s.in_parts(0), s.in_parts(1), s.in_parts(2), s.in_parts(3))};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering tridiagonal_solve_rows[] = {
    {"tridiagonal_solve", linalg::tridiagonal_solve, "Scan, Div, Where", linalg::tridiagonal_solve_signature,
     parts_rule::own, "perturb_singular"},
};

}  // namespace jax2onnx::lower
