// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/ops/math.hpp>

/// Eigenvalues of real symmetric 3 by 3 matrices in closed form, in double.
/// Source: Smith, "Eigenvalues of a symmetric 3 x 3 matrix".
namespace jax2onnx::lower::linalg {

/// The largest root y of y^3 - 3 y = h for h in [0, 2], which is 2 cos(acos(h / 2) / 3). Newton's method starts from a
/// polynomial whose error is less than 1e-3.
inline value largest_cubic_root(const value& h) {
  value y = add(mul(add(mul(h, -0.01323), 0.15983), h), 1.73279);
  for (int i = 0; i < 2; ++i) {
    const value square = mul(y, y);
    const value above = add(mul(mul(square, y), 2), h);
    y = div(above, sub(mul(square, 3), 3));
  }
  return y;
}

/// The eigenvalues [..., 1, 3] of the matrices [..., 3, 3] in double whose lower or upper triangle is given, in
/// ascending order. If two eigenvalues are nearly equal, errors reach the square root of the precision of double,
/// relative to the largest eigenvalue.
///
/// Let q be the mean of the eigenvalues, and p^2 half the mean square of their distances from q. The eigenvalues are q
/// + p y for the roots y of y^3 - 3 y = det((a - q) / p). The root of largest magnitude is found first; the other roots
/// solve a quadratic equation.
inline value symmetric_eigenvalues_3x3(const value& a, bool lower) {
  graph& g = a.owner();
  const value columns = columns_first(a).re();
  shape flat = columns.dims();
  flat.drop(0);
  flat[0] = 9;
  const value elements = reshape(columns, flat);  // [9, ...]
  const value diagonal = gather(elements, int64s(g, {0, 4, 8}), 0);
  // Element i is the off-diagonal element that is not in row or column i.
  const value beside = gather(elements, lower ? int64s(g, {5, 2, 1}) : int64s(g, {7, 6, 3}), 0);
  const auto total = [](const value& v) { return reduce("ReduceSum", v, {0}, true); };
  const auto product = [](const value& v) { return reduce("ReduceProd", v, {0}, true); };
  const value mean = mul(total(diagonal), 1.0 / 3);
  const value d = sub(diagonal, mean);
  const value squares = mul(beside, beside);
  const value p_square = mul(total(add(mul(mul(d, d), 0.5), squares)), 1.0 / 3);
  const value p = sqrt(p_square);
  const value outer = mul(product(beside), 2);
  const value determinant = sub(add(product(d), outer), total(mul(d, squares)));
  const value cube = maximum(mul(p_square, p), scalar(g, dtype::f64, 1e-300));
  const value ratio = div(determinant, cube);
  const value y = largest_cubic_root(minimum(abs(ratio), scalar(g, dtype::f64, 2)));
  const value half = mul(y, 0.5);
  const value discriminant = add(mul(mul(half, half), -3), 3);
  const value root = sqrt(maximum(discriminant, scalar(g, dtype::f64, 0)));
  const value positive = greater_equal(ratio, 0);
  const value second = add(half, root);
  const value high = where(positive, y, second), below = where(positive, second, y);
  const value middle = sub(below, high), low = neg(below);
  const value values = add(mul(concat({low, middle, high}, 0), p), mean);
  return rows_last(unsqueeze(values, {0})).re();
}

}  // namespace jax2onnx::lower::linalg
