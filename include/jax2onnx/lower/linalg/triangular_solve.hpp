// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// triangular_solve, as a Loop of substitutions. Source: jax/_src/lax/linalg.py.
namespace jax2onnx::lower::linalg {

/// The solution x of m x = b for triangular m. Each iteration computes a row of x and subtracts its product with a
/// column of m from b. Only the triangle of m that `lower` names is read: the other elements, like those of rows that x
/// has already, only change rows of b that are not read any more.
inline jax_value substitute(const jax_value& m, const jax_value& b, bool lower, bool unit_diagonal) {
  graph& g = owner(m);
  const jax_value columns = unsqueezed(columns_first(m), 2);
  const auto step = [&](const value& k, const matrices& carried) {
    const jax_value c = item_at(columns, k), rest = item_at(carried[0], k);
    const jax_value x = unit_diagonal ? rest : cx::div(rest, item_at(c, k));
    return collecting_turn{{cx::sub(carried[0], cx::mul(c, x))}, {x}};
  };
  return rows_last(repeat_collecting(g, row_count(m), {rows_first(b)}, step, !lower).collected[0]);
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
    {"triangular_solve", linalg::triangular_solve, "Loop, Div, Mul", linalg::triangular_solve_signature,
     parts_rule::own},
};

}  // namespace jax2onnx::lower
