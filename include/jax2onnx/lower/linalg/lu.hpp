#pragma once

#include <jax2onnx/lower/linalg/triangular.hpp>

/// LU factors with row exchanges, as LAPACK's getrf.
namespace jax2onnx::lower {

/// |re| + |im|, the size by which LAPACK compares complex numbers.
inline value pivot_size(const jax_value& z) {
  const value re = jax2onnx::abs(z.re());
  return cx::is_real(z) ? re : jax2onnx::add(re, jax2onnx::abs(z.im()));
}

/// Row k and row p of `a` exchanged; `p` is [..., 1, 1], a row for every matrix. `exchanged` is the new row k.
struct row_exchange {
  jax_value a, exchanged;
  row_exchange(const jax_value& before, const value& rows, const value& k, const value& p) {
    using namespace linalg;
    const value at_p = equal(rows, p);
    exchanged = sum(keep(at_p, before), -2);
    a = cx::where(equal(rows, k), exchanged, cx::where(at_p, row(before, k), before));
  }
};

struct lu_factors {
  jax_value a, order;  ///< L and U, and the rows' old numbers [..., m, 1]
  value pivots;        ///< the row that each was exchanged with
};

inline lu_factors getrf(const jax_value& a) {
  using namespace linalg;
  graph& g = owner(a);
  const dim m = row_count(a), n = column_count(a), steps = shorter_side(a);
  const value rows = row_numbers(g, m), columns = column_numbers(g, n), slots = counted(g, steps);
  shape order_dims = a.re().dims(), pivot_dims = a.re().dims();
  order_dims.back() = 1;
  pivot_dims.pop_back();
  pivot_dims.back() = steps;
  const jax_value order = broadcast_to(rows, order_dims);
  const value pivots = filled(g, dtype::i64, pivot_dims, 0);
  if (is_empty(a)) return {a, order, pivots};
  const auto step = [&](const value& k, const matrices& carried) {
    const value below = greater(rows, k), right = greater(columns, k);
    const value size =
        jax2onnx::where(jax2onnx::less(rows, k), scalar(g, cx::part_dtype(a), -1), pivot_size(column(carried[0], k)));
    shape p_dims = size.dims();
    p_dims[p_dims.size() - 2] = 1;
    const value p = g.emit("ArgMax", {size}, {dtype::i64, p_dims}, {{"axis", std::int64_t{-2}}});
    const row_exchange e(carried[0], rows, k, p);
    const jax_value c = column(e.a, k), d = column(e.exchanged, k);
    const value singular = equal(pivot_size(d), 0);
    const jax_value factor =
        keep(below, cx::where(singular, c, cx::div(c, cx::where(singular, jax_value(one_of(d)), d))));
    const jax_value updated = cx::sub(e.a, cx::mul(factor, keep(right, e.exchanged)));
    const value chosen = jax2onnx::where(equal(slots, k), squeeze(p, {p.rank() - 1}), carried[2].re());
    return matrices{cx::where(logical_and(below, equal(columns, k)), factor, updated),
                    row_exchange(carried[1], rows, k, p).a, chosen};
  };
  const matrices last = repeat(g, steps, {a, order, pivots}, step);
  return {last[0], last[1], last[2].re()};
}

inline jax_values lu(const site& s) {
  const lu_factors f = getrf(s.in_parts(0));
  return {f.a, cast(f.pivots, dtype::i32), cast(squeeze(f.order.re(), {linalg::rank(f.order) - 1}), dtype::i32)};
}

/// The solution x [..., n, k] of a x = b: the elimination runs over b as well.
inline jax_value solve_by_elimination(const jax_value& a, const jax_value& b) {
  using namespace linalg;
  const dim n = row_count(a);
  const jax_value eliminated = getrf(joined(a, b, -1)).a;
  return substitute(slice(eliminated, -1, 0, n), slice(eliminated, -1, n, column_count(eliminated)), false, false);
}

/// The permutation that row exchanges 0 with pivots[0], 1 with pivots[1], … make.
inline jax_values lu_pivots_to_permutation(const site& s) {
  using namespace linalg;
  shape dims = s.out_dims();
  dims.push_back(1);
  const value rows = row_numbers(s.g, s.out_dims().back()),
              pivots = unsqueeze(cast(s.in(0), dtype::i64), {s.in(0).rank()});
  const jax_value order = broadcast_to(rows, dims);
  if (is_empty(pivots)) return {cast(squeeze(order.re(), {rank(order) - 1}), s.out_dtype())};
  const matrices last = repeat(s.g, row_count(pivots), {order}, [&](const value& k, const matrices& carried) {
    return matrices{row_exchange(carried[0], rows, k, row(pivots, k).re()).a};
  });
  return {cast(squeeze(last[0].re(), {rank(order) - 1}), s.out_dtype())};
}

inline constexpr lowering lu_rows[] = {
    {"lu", lu, "Loop, ArgMax, Where", parts_rule::own},
    {"lu_pivots_to_permutation", lu_pivots_to_permutation, "Loop, Where", ignores{"permutation_size"}},
};

}  // namespace jax2onnx::lower
