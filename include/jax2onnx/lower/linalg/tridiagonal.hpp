#pragma once

#include <jax2onnx/lower/linalg/eigh.hpp>
#include <jax2onnx/lower/linalg/lu.hpp>
#include <jax2onnx/lower/linalg/qr.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>

/// Reductions to Hessenberg and tridiagonal form, and tridiagonal systems, as LAPACK computes them.
namespace jax2onnx::lower {

/// Q^H A Q on and above the first subdiagonal, below it the reflectors whose product is Q, and the taus [..., n - 1] (gehrd).
inline qr_factors gehrd(const jax_value& a) {
  using namespace linalg;
  graph& g = owner(a);
  const dim n = row_count(a), steps = g.dims().sub(n, 1);
  const value rows = row_numbers(g, n), columns = column_numbers(g, n), slots = row_numbers(g, steps);
  shape taus = a.re().dims();
  taus[taus.size() - 2] = steps;
  taus.back() = 1;
  const jax_value none = cx::map(a, [&](const value& v) { return filled(g, v.dtype(), taus, 0); });
  if (steps.is(0)) return {a, drop_last(none), {}};
  const matrices last = repeat(g, steps, {a, none}, [&](const value& k, const matrices& carried) {
    const value next = jax2onnx::add(k, 1);
    const jax_value c = column(carried[0], k);
    const reflector h(c, rows, next);
    const jax_value both = reflect(reflect_right(carried[0], h.tau, h.v), cx::conj(h.tau), h.v);
    const jax_value packed = cx::where(jax2onnx::less(rows, next), c, cx::where(equal(rows, next), h.beta, h.v));
    const jax_value rest = cx::where(greater(columns, k), both, carried[0]);
    return matrices{cx::where(equal(columns, k), packed, rest), cx::where(equal(slots, k), h.tau, carried[1])};
  });
  return {last[0], drop_last(last[1]), {}};
}

inline jax_values hessenberg(const site& s) {
  const jax_value& a = s.in_parts(0);
  if (linalg::is_empty(a))
    return {a, cx::map(a, [&](const value& v) { return filled(s.g, v.dtype(), s.out_dims(1), 0); })};
  const qr_factors f = gehrd(a);
  return {f.a, f.taus};
}

/// Rows and columns in reverse.
inline jax_value turned(const jax_value& a) {
  return cx::map(a, [](const value& v) { return jax2onnx::reverse(v, {v.rank() - 2, v.rank() - 1}); });
}
/// The diagonal that starts in row `below`, as [..., n - below].
inline value diagonal(const value& v, dim below) {
  using namespace linalg;
  graph& g = v.owner();
  const dim n = row_count(v), length = g.dims().sub(n, below);
  const value at = equal(row_numbers(g, n), jax2onnx::add(column_numbers(g, length), as_scalar(g, below)));
  const value kept = keep(at, jax2onnx::slice(v, v.rank() - 1, 0, length)).re();
  return reduce("ReduceSum", kept, {v.rank() - 2});
}

/// tridiagonal a: the reflectors in the given triangle, the diagonal, the one beside it, and the taus (sytrd, hetrd).
/// From the upper triangle it starts at the last column.
inline jax_values tridiagonal(const site& s) {
  using namespace linalg;
  const bool lower = s.param<bool>("lower");
  const jax_value& given = s.in_parts(0);
  if (is_empty(given)) {
    jax_values out{given};
    for (std::size_t i = 1; i < 4; ++i) out.push_back(filled(s.g, s.out_dtype(i), s.out_dims(i), 0));
    if (!cx::is_real(given)) out[3] = jax_value(out[3].re(), out[3].re());
    return out;
  }
  const jax_value whole = hermitian(given, lower);
  const qr_factors f = gehrd(lower ? whole : turned(whole));
  value d = diagonal(f.a.re(), 0), e = diagonal(f.a.re(), 1);
  jax_value packed = f.a, taus = f.taus;
  if (!cx::is_real(packed)) {  // the diagonal is real, up to rounding
    const value on = equal(row_numbers(s.g, row_count(given)), column_numbers(s.g, row_count(given)));
    packed = jax_value(packed.re(), jax2onnx::where(on, zero_of(packed), packed.im()));
  }
  if (!lower) {
    const auto backward = [](const value& v) { return jax2onnx::reverse(v, {v.rank() - 1}); };
    packed = turned(packed);
    d = backward(d);
    e = backward(e);
    taus = cx::map(taus, backward);
  }
  const value rows = row_numbers(s.g, row_count(given)), columns = column_numbers(s.g, row_count(given));
  const value inside = lower ? greater_equal(rows, columns) : less_equal(rows, columns);
  return {cx::where(inside, packed, given), d, e, taus};
}

/// One row of a tridiagonal system on its way to the next: l x[k-1] + d x[k] + u x[k+1] = b, or after the elimination
/// d x[k] + u x[k+1] + u2 x[k+2] = b.
struct eliminated {
  jax_value d, u, b;  ///< the next row, without what was left of its diagonal
  jax_values done;    ///< d, u, u2 and b of the finished row
  eliminated(const jax_values& current, const jax_values& next) {
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
    done = {pivot, cx::where(exchange, dn, uk), linalg::keep(exchange, un), cx::where(exchange, bn, bk)};
  }
};

/// The solution of a system with the diagonals `lower` (whose first element counts for nothing), `diagonal` and `upper`
/// (the last one's), by elimination with row exchanges (gtsv): NaN where a pivot vanishes.
inline jax_value gtsv(const jax_value& lower, const jax_value& diagonal, const jax_value& upper, const jax_value& b) {
  using namespace linalg;
  if (is_empty(b)) return b;
  graph& g = owner(b);
  const jax_value diagonals[] = {lower, diagonal, upper};
  const std::int64_t axis = rank(b) - 2;
  const dim n = row_count(b);
  jax_values first, rest;
  for (std::size_t i = 0; i < 4; ++i) {
    const jax_value rows = i < 3 ? as_columns(diagonals[i]) : b;
    if (i > 0) first.push_back(cx::map(rows, [&](const value& v) { return pick(v, 0, axis); }));
    rest.push_back(cx::map(rows, [&](const value& v) { return jax2onnx::slice(v, axis, 1, n); }));
  }
  const auto placed = [&](const jax_value& x) {
    return cx::map(x, [&](const value& v) { return unsqueeze(v, {axis}); });
  };
  const auto finished = [&](const jax_value& x, const value& pivots) {
    const value nan = scalar(g, cx::part_dtype(b), std::numeric_limits<double>::quiet_NaN());
    return cx::where(equal(pivots, 0), jax_value(nan), x);
  };
  if (n.is(1)) return finished(placed(cx::div(first[2], first[0])), placed(pivot_size(first[0])).re());
  const scan_results down =
      scan_axis(g, first, rest, axis, false, false, [](const jax_values& current, const jax_values& next) {
        const eliminated e(current, next);
        jax_values out{e.d, e.u, e.b};
        out.insert(out.end(), e.done.begin(), e.done.end());
        return out;
      });
  const jax_value end = cx::div(down.last[2], down.last[0]);
  const scan_results up = scan_axis(g, {end, zeros_like(end)}, down.running, axis, true, false,
                                    [](const jax_values& x, const jax_values& row) {
                                      const jax_value known = cx::add(cx::mul(row[1], x[0]), cx::mul(row[2], x[1]));
                                      const jax_value solved = cx::div(cx::sub(row[3], known), row[0]);
                                      return jax_values{solved, x[0], solved};
                                    });
  const value pivots =
      minimum(reduce("ReduceMin", pivot_size(down.running[0]), {axis}, true), placed(pivot_size(down.last[0])).re());
  return finished(joined(up.running[0], placed(end), -2), pivots);
}

inline jax_values tridiagonal_solve(const site& s) {
  if (s.param_or("perturb_singular", false)) s.unsupported("perturb_singular=True");
  return {gtsv(s.in_parts(0), s.in_parts(1), s.in_parts(2), s.in_parts(3))};
}

inline constexpr lowering tridiagonal_rows[] = {
    {"hessenberg", hessenberg, "Loop, MatMul", parts_rule::own},
    {"tridiagonal", tridiagonal, "Loop, MatMul, Trilu", parts_rule::own},
    {"tridiagonal_solve", tridiagonal_solve, "Scan, Div, Where", parts_rule::own, "perturb_singular"},
};

}  // namespace jax2onnx::lower
