// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// triangular_solve by substitution, which is unrolled or runs in a Loop. Source: jax/_src/lax/linalg.py.
namespace jax2onnx::lower::linalg {

/// The rows of `b` after elimination in order, or in reverse order if `backward` is set: row k, times the elements of
/// column k of the matrix, is subtracted from the rows that come later. Row k of `columns` is that column.
inline value eliminated_rows(const value& columns, const value& b, bool backward) {
  if (columns.extent(0).is(1)) return b;
  const std::vector<value> parts = split_rows(columns, 1);
  const auto n = std::ssize(parts);
  std::vector<value> rows(parts.size());
  value rest = b;
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t k = backward ? n - 1 - j : j;
    value& row = rows[static_cast<std::size_t>(k)];
    row = gather(rest, int64s(b.owner(), {k}), 0);
    if (j + 1 < n) rest = minus_product(rest, parts[static_cast<std::size_t>(k)], row);
  }
  return concat(rows, 0);
}
/// eliminated_rows() by blocks, unless b is known to have few elements: a whole block is subtracted at once from the
/// remaining rows.
inline value eliminated_blocks(const value& columns, const value& b, bool backward) {
  constexpr std::int64_t most_rows = 64, most_elements = 2048;
  const std::int64_t n = columns.extent(0).extent();
  const dim width = b.extent(1);
  if (n <= rows_at_once || (n <= most_rows && width.is_constant() && n * width.extent() <= most_elements))
    return eliminated_rows(columns, b, backward);
  const auto step = [&](const value& indices, const matrices& carried) {
    const value& rest = carried[0].re();
    const value c = gather(columns, indices, 0), block = gather(rest, indices, 0);
    const value rows = eliminated_rows(gather(c, indices, 1), block, false);
    return collecting_turn{{minus_product(rest, c, rows)}, {rows}};
  };
  return repeat_in_blocks(b.owner(), n, rows_at_once, {b}, step, backward).collected[0].re();
}
/// eliminated_rows() for matrices in a batch: [n, n, ...] and [n, r, ...].
inline value eliminated_batch(const value& columns, const value& b, bool backward) {
  const std::int64_t n = columns.extent(0).extent();
  const bool unrolled = n < 2 * rows_at_once;
  // Each column becomes [n, 1, ...].
  shape dims = columns.dims();
  dims[0] = n * n, dims[1] = 1;
  const std::vector<value> parts = unrolled ? split_rows(reshape(columns, dims), n) : std::vector<value>{};
  const value each = unrolled ? value() : unsqueeze(columns, {2});
  const auto step = [&](const value& k, const matrices& carried) {
    const value row = gather(carried[0].re(), k, 0);
    const value c =
        unrolled ? parts[static_cast<std::size_t>(constant_integers(k)->front())] : squeeze(gather(each, k, 0), {0});
    return collecting_turn{{sub(carried[0].re(), mul(c, row))}, {row}};
  };
  return repeat_each(b.owner(), n, unrolled ? n : rows_at_once, {b}, step, backward).collected[0].re();
}
/// substitute() for real matrices, m of constant extents. First, each column of m is divided by its element of the
/// diagonal, d; d is 1 if `unit_diagonal`. The elimination then computes b[i] - sum(m[i, k] / d[k] * (x[k] d[k])),
/// which is x[i] d[i]. At the end, row i is divided by d[i].
inline jax_value substitute_scaled(const value& m, const value& b, bool lower, bool unit_diagonal) {
  const bool single = m.rank() == 2 && b.rank() == 2;
  value columns = columns_first(m).re(), diagonal;
  if (!unit_diagonal) {
    diagonal = unsqueeze(diagonal_of(columns), {1});
    columns = div(columns, diagonal);
  }
  const value first = rows_first(b).re();
  const value rows = single ? eliminated_blocks(columns, first, !lower) : eliminated_batch(columns, first, !lower);
  return rows_last(unit_diagonal ? rows : div(rows, diagonal));
}

/// The solution x of m x = b for triangular m. Each iteration computes a row of x and subtracts its product with a
/// column of m from b. Only the triangle of m that `lower` names affects x: the other elements of a column only change
/// rows of b that are not read any more, since their rows of x are already computed.
inline jax_value substitute(const jax_value& m, const jax_value& b, bool lower, bool unit_diagonal) {
  if (cx::is_real(m) && cx::is_real(b) && row_count(m).is_constant())
    return substitute_scaled(m.re(), b.re(), lower, unit_diagonal);
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
