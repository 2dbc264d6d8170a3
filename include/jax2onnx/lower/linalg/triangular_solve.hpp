// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// triangular_solve, as a Loop of substitutions. Source: jax/_src/lax/linalg.py.
namespace jax2onnx::lower::linalg {

/// The maximum number of rows that are substituted without a Loop.
inline constexpr std::int64_t most_rows_at_once = 4;

/// The solution of a system with a few rows, `n`: each row of x is computed from the previous ones.
inline jax_value substitute_at_once(const jax_value& m, const jax_value& b, bool lower, bool unit_diagonal,
                                    std::int64_t n) {
  jax_value x;  // the rows so far, which are adjacent
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t k = lower ? i : n - 1 - i;
    const value number = int64s(owner(m), {k});
    const jax_value r = row(m, number);
    jax_value rest = row(b, number);
    if (i > 0) rest = cx::sub(rest, cx::matmul(lower ? column_range(r, 0, k) : column_range(r, k + 1, n), x));
    const jax_value next = unit_diagonal ? rest : cx::div(rest, column(r, number));
    x = i == 0 ? next : lower ? stacked(x, next) : stacked(next, x);
  }
  return x;
}

/// The solution x of m x = b for triangular m, computed row by row. Only the triangle of m that `lower` names is read.
inline jax_value substitute(const jax_value& m, const jax_value& b, bool lower, bool unit_diagonal) {
  graph& g = owner(m);
  if (const dim n = row_count(m); n.is_constant() && n.extent() > 0 && n.extent() <= most_rows_at_once)
    return substitute_at_once(m, b, lower, unit_diagonal, n.extent());
  const jax_value beside = triangle(m, !lower, lower ? -1 : 1);  // the diagonal may be infinite or not read
  const value rows = row_numbers(g, row_count(m));
  const auto step = [&](const value& k, const matrices& carried) {
    const jax_value rest = cx::sub(row(b, k), cx::matmul(row(beside, k), carried[0]));
    const jax_value x = unit_diagonal ? rest : cx::div(rest, column(row(m, k), k));
    return matrices{cx::where(equal(rows, k), x, carried[0])};
  };
  return repeat(g, row_count(m), {cx::zeros_like(b)}, step, !lower)[0];
}

/// The solution x of a x = b (left_side) or x a = b, with `a` conjugated if conjugate_a and transposed if transpose_a.
/// x a = b is solved as a^T x^T = b^T.
inline jax_values triangular_solve(const site& s) {
  const bool left = s.param_or("left_side", false), transpose_a = s.param_or("transpose_a", false);
  const bool conjugate = s.param_or("conjugate_a", false), unit = s.param_or("unit_diagonal", false);
  const bool lower = s.param_or("lower", false);
  if (is_empty(s.in_parts(1))) return {s.in_parts(1)};
  jax_value a = widened(s.in_parts(0)), b = widened(s.in_parts(1));
  if (conjugate) a = cx::conj(a);
  const bool flip = transpose_a == left;  // true if a is transposed an odd number of times
  if (flip) a = transposed(a);
  if (!left) b = transposed(b);
  const jax_value x = substitute(a, b, lower != flip, unit);
  return {cast_parts(left ? x : transposed(x), s.out_dtype())};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering triangular_solve_rows[] = {
    {"triangular_solve", linalg::triangular_solve, "Loop, MatMul, Div", linalg::triangular_solve_signature,
     parts_rule::own},
};

}  // namespace jax2onnx::lower
