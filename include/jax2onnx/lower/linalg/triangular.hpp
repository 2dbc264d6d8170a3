#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>

/// Cholesky factors and triangular systems.
namespace jax2onnx::lower {

/// The lower factor of the matrix whose lower triangle is given, a column at a time:
/// L[:, j] = (A[:, j] - L conj(L[j, :])) / sqrt of its diagonal element. What is above the diagonal stays there, and where
/// the matrix is not positive definite all is NaN, as by LAPACK's potrf.
inline jax_value potrf(const jax_value& given) {
  using namespace linalg;
  if (is_empty(given)) return given;
  graph& g = owner(given);
  const jax_value a = widened(given);
  const dim n = row_count(a);
  const value rows = row_numbers(g, n), columns = column_numbers(g, n);
  const matrices last = repeat(g, n, {zeros_like(a)}, [&](const value& j, const matrices& carried) {
    const jax_value& l = carried[0];
    const jax_value c = cx::sub(column(a, j), cx::matmul(l, adjoint(row(l, j))));
    const jax_value scaled = cx::unscale(c, jax2onnx::sqrt(gather(c.re(), j, rank(c) - 2)));
    const jax_value below =
        keep(greater_equal(rows, j),
             cx::is_real(c) ? scaled : jax_value(scaled.re(), keep(greater(rows, j), scaled.im()).re()));
    return matrices{cx::where(equal(columns, j), below, l)};
  });
  const jax_value l = cx::where(jax2onnx::less(rows, columns), a, last[0]);
  const value k = dim_value(g, g.dims().sub(n, 1));
  const value poison = jax2onnx::mul(gather(gather(l.re(), k, rank(l) - 2), k, rank(l) - 1), 0);
  return narrowed(cx::map(l, [&](const value& v) { return jax2onnx::add(v, poison); }), cx::part_dtype(given));
}

inline jax_values cholesky(const site& s) { return {potrf(s.in_parts(0))}; }

/// The solution x of m x = b for triangular m, a row at a time.
inline jax_value substitute(const jax_value& m, const jax_value& b, bool lower, bool unit_diagonal) {
  using namespace linalg;
  graph& g = owner(m);
  const jax_value t = triangle(m, !lower);
  const value rows = row_numbers(g, row_count(m));
  const auto step = [&](const value& k, const matrices& carried) {
    const jax_value r = row(t, k);
    const jax_value rest = cx::sub(row(b, k), cx::matmul(r, carried[0]));
    return matrices{cx::where(equal(rows, k), unit_diagonal ? rest : cx::div(rest, column(r, k)), carried[0])};
  };
  return repeat(g, row_count(m), {zeros_like(b)}, step, !lower)[0];
}

/// a x = b or (left_side=False) x a = b, where a is transposed and conjugated first as the flags say. From the right it
/// is the transposed system. conjugate_a without transpose_a conjugates.
inline jax_values triangular_solve(const site& s) {
  using namespace linalg;
  const bool left = s.param_or("left_side", false), transpose_a = s.param_or("transpose_a", false);
  const bool conjugate = s.param_or("conjugate_a", false), unit = s.param_or("unit_diagonal", false);
  const bool lower = s.param_or("lower", false);
  if (is_empty(s.in_parts(1))) return {s.in_parts(1)};
  jax_value a = widened(s.in_parts(0)), b = widened(s.in_parts(1));
  if (conjugate) a = cx::conj(a);
  const bool flip = transpose_a == left;  // transposed once in all
  if (flip) a = transposed(a);
  if (!left) b = transposed(b);
  const jax_value x = substitute(a, b, lower != flip, unit);
  return {narrowed(left ? x : transposed(x), s.out_dtype())};
}

/// R^T R + w w^T = S^T S for upper triangular R and S: a Givens rotation for every row.
inline jax_values cholesky_update(const site& s) {
  using namespace linalg;
  const jax_value r = s.in(0), w = unsqueeze(s.in(1), {s.in(1).rank() - 1});
  const value rows = row_numbers(s.g, row_count(r));
  const auto step = [&](const value& k, const matrices& carried) {
    const value current = row(carried[0], k).re(), z = carried[1].re();
    const value x = column(current, k).re(), y = column(z, k).re();
    const value h = jax2onnx::where(equal(y, 0), x, hypot(x, y));
    const value unit = equal(h, 0);
    const value c = jax2onnx::where(unit, one_of(x), jax2onnx::div(x, h));
    const value sine = jax2onnx::where(unit, zero_of(x), jax2onnx::div(y, h));
    const value rotated = add(mul(c, current), mul(sine, z));
    return matrices{jax2onnx::where(equal(rows, k), rotated, carried[0].re()), sub(mul(c, z), mul(sine, current))};
  };
  return {repeat(s.g, row_count(r), {r, w}, step)[0]};
}

/// alpha a a^T + beta c
inline jax_values symmetric_product(const site& s) {
  const value a = s.in(0);
  const value product = mul(matmul(a, linalg::transposed(a).re()), s.param<double>("alpha"));
  return {add(product, mul(s.in(1), s.param<double>("beta")))};
}

inline constexpr lowering triangular_rows[] = {
    {"cholesky", cholesky, "Loop, MatMul, Sqrt", parts_rule::own, ignores{"symmetrize_input"}},
    {"cholesky_update", cholesky_update, "Loop", parts_rule::plain},
    {"symmetric_product", symmetric_product, "MatMul, Mul, Add", parts_rule::plain},
    {"triangular_solve", triangular_solve, "Loop, MatMul, Div", parts_rule::own},
};

}  // namespace jax2onnx::lower
