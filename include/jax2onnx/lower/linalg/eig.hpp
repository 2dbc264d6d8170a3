// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/schur.hpp>
#include <jax2onnx/lower/linalg/two_by_two.hpp>
#include <jax2onnx/lower/linalg/types.hpp>
#include <jax2onnx/ops/math.hpp>

/// eig: eigenvalues and eigenvectors of general matrices, from the Schur form, with the vectors normalized as in
/// LAPACK. Sources: jax/_src/lax/linalg.py; LAPACK's gebal, trevc, geev.
namespace jax2onnx::lower::linalg {

/// D^-1 A D, and D as a column. D is diagonal; its elements are powers of two that give row i and column i similar
/// lengths (gebal).
inline matrices balanced(const jax_value& a) {
  graph& g = owner(a);
  const dim n = row_count(a);
  const value rows = row_numbers(g, n), columns = column_numbers(g, n);
  const jax_value ones(filled(g, dtype::f64, matrix_dims(a, n, 1), 1));
  const shape one = matrix_dims(a, 1, 1);
  const auto each = [&](const value& i, const matrices& in) {
    const value c = sqrt(sum(cx::norm(column(in[0], i)), -2)), r = sqrt(sum(cx::norm(row(in[0], i)), -1));
    const value usable = logical_and(greater(c, 0), greater(r, 0));
    const value ratio = where(usable, div(r, where(usable, c, one_of(c))), one_of(c));
    // The power of two closest to the root of the ratio; ties break toward 1.
    const value half = mul(log(ratio), 0.5 / 0.69314718055994531);
    const value grows = maximum(unary("Ceil", sub(half, 0.5 + 1e-9)), 0);
    const value shrinks = maximum(add(floor(sub(scalar(g, dtype::f64, -0.5 + 1e-9), half)), 1), 0);
    const value f = exp2(sub(grows, shrinks));
    const value better = less(add(mul(c, f), div(r, f)), mul(add(c, r), 0.95));
    const value changed = logical_and(usable, better), factor = where(changed, f, one_of(f));
    const value across = where(equal(rows, i), reciprocal(factor), one_of(f)),
                down = where(equal(columns, i), factor, one_of(f));
    const value kept = where(equal(rows, i), mul(in[1].re(), factor), in[1].re());
    return matrices{cx::scale(cx::scale(in[0], across), down), kept, logical_or(in[2].re(), changed)};
  };
  return repeat_while(g, scalar(g, dtype::i64, 50), {a, ones}, [&](const value&, const matrices& in) {
    const matrices out = repeat(g, n, {in[0], in[1], filled(g, dtype::boolean, one, 0)}, each);
    return loop_turn{{out[0], out[1]}, reduce_truth("ReduceMax", out[2].re(), iota_axes(out[2].re().rank()))};
  });
}

/// The eigenvalues of T as a column [..., n, 1]: the diagonal, with a complex pair for every 2x2 block of a real T.
inline jax_value eigenvalues(const jax_value& t) {
  graph& g = owner(t);
  const value rows = row_numbers(g, row_count(t)), columns = column_numbers(g, row_count(t));
  const jax_value diagonal = sum(keep(equal(rows, columns), t), -1);
  if (!cx::is_real(t)) return diagonal;
  // sqrt |b c| of the block in rows k - 1 and k is the imaginary part of row k - 1; its negative is the imaginary part
  // of row k.
  const value next = equal(rows, add(columns, 1)), previous = equal(add(rows, 1), columns);
  const auto sizes = [&](const value& mask) { return sqrt(abs(keep(mask, t).re())); };
  const value roots = mul(sizes(next), transposed(sizes(previous)).re());
  return jax_value(diagonal.re(), sub(transposed(sum(roots, -2)).re(), sum(roots, -1)));
}

/// Replaces a real T with 2x2 blocks by G^H T G, which is triangular and complex, and Z by Z G. G is unitary. For a
/// block [[a, b], [c, a]] with the eigenvalues a + i s and a - i s, the columns of G are the eigenvector (b, i s) and
/// the vector (i s, b), which is orthogonal to this eigenvector; both are scaled to length 1. Outside the blocks, G is
/// the identity. `w` holds the eigenvalues of T.
inline void make_triangular(jax_value& t, jax_value& z, const jax_value& w) {
  graph& g = owner(t);
  const dim n = row_count(t);
  const value rows = row_numbers(g, n), columns = column_numbers(g, n), size = abs(w.im());
  const value first = greater(w.im(), 0), pair = greater(size, 0);
  const value beside = logical_or(logical_and(first, equal(add(rows, 1), columns)),
                                  logical_and(less(w.im(), 0), equal(rows, add(columns, 1))));
  const value upper = sum(keep(logical_and(first, equal(add(rows, 1), columns)), t), -1).re();
  const value lower = transposed(sum(keep(logical_and(first, equal(add(rows, 1), columns)), t), -2)).re();
  const value b = add(upper, lower), r = where(pair, hypot(b, size), one_of(b));
  const value cosines = where(pair, div(b, r), one_of(b)), sines = div(size, r);
  const jax_value unitary(keep(equal(rows, columns), cosines).re(), keep(beside, sines).re());
  z = cx::matmul(z, unitary);
  const jax_value whole = cx::matmul(adjoint(unitary), cx::matmul(t, unitary));
  t = triangle(whole, true);
}

/// The eigenvectors x of upper or lower triangular T, T x = w x, as columns whose elements on the diagonal are 1.
inline jax_value triangular_vectors(const jax_value& t, const jax_value& w, bool upper) {
  graph& g = owner(t);
  const dim n = row_count(t);
  const value rows = row_numbers(g, n), columns = column_numbers(g, n);
  const jax_value values = transposed(w);
  // A difference of eigenvalues that is below `least`, the rounding error, is replaced by `least`, so that the vectors
  // stay finite.
  const value largest = reduce("ReduceMax", pivot_size(t), {rank(t) - 2, rank(t) - 1}, true);
  const value least = maximum(mul(pivot_size(values), 2.2e-16), maximum(mul(largest, 1e-30), 1e-290));
  const jax_value zeros = cx::zeros_like(t);
  return repeat(
      g, n, {zeros},
      [&](const value& k, const matrices& in) {
        const jax_value difference = cx::sub(row(w, k), values);
        const jax_value divisor =
            cx::where(less(pivot_size(difference), least), jax_value(least, zero_of(t)), difference);
        const jax_value x = cx::neg(cx::div(cx::matmul(row(t, k), in[0]), divisor));
        const value inside = upper ? greater(columns, k) : less(columns, k);
        const jax_value unit(keep(equal(columns, k), jax_value(one_of(t))).re(), zero_of(t));
        return matrices{cx::where(equal(rows, k), cx::where(inside, x, unit), in[0])};
      },
      upper)[0];
}

/// The columns scaled to length 1. In columns for which `make_real` holds, the largest element becomes real.
inline jax_value normalized(const jax_value& v, const value& make_real) {
  graph& g = owner(v);
  const jax_value scaled =
      cx::unscale(v, reduce("ReduceMax", pivot_size(v), {rank(v) - 2}, true));  // keeps squares from overflowing
  const value sizes = cx::norm(scaled), largest = reduce("ReduceMax", sizes, {rank(v) - 2}, true);
  const jax_value whole = cx::unscale(scaled, sqrt(sum(sizes, -2)));
  const value nearly = greater_equal(sizes, mul(largest, 1 - 1e-10));
  const value chosen = equal(row_numbers(g, row_count(v)), largest_row(cast(nearly, dtype::u8)));
  const jax_value top = sum(keep(chosen, whole), -2);
  const jax_value phase = cx::where(make_real, cx::conj(cx::sign(top)), jax_value(one_of(top), zero_of(top)));
  return cx::mul(whole, phase);
}

/// eig of 1 by 1 matrices. If the element of a matrix is not finite, all results for this matrix are NaN.
inline jax_values eig_1x1(const site& s) {
  const jax_value& a = s.in_parts(0);
  const auto zero_or_nan = [](const value& v) { return sub(v, v); };
  const value poison = cx::is_real(a) ? zero_or_nan(a.re()) : add(zero_or_nan(a.re()), zero_or_nan(a.im()));
  const value im = cx::is_real(a) ? poison : sub(a.im(), poison);
  jax_values out{as_vectors(jax_value(sub(a.re(), poison), im))};
  out.resize(s.out_count(), jax_value(add(poison, 1), poison));
  return out;
}

/// The eigenvalues of 2 by 2 matrices.
inline jax_values eigenvalues_of_2x2(const site& s) {
  const eigen_input in(s.in_parts(0));
  const eigenvalues_2x2 w(two_by_two::of(in.a), in.ulp);
  const jax_value both = cx::scale(stacked(w.first, w.second), in.scale);
  return {as_vectors(cast_parts(poisoned(both, in.poison), s.out_dtype()))};
}

/// eig a: the eigenvalues, and with compute_left_eigenvectors and compute_right_eigenvectors, eigenvectors as columns.
inline jax_values eig(const site& s) {
  const bool left = s.param<bool>("compute_left_eigenvectors"), right = s.param<bool>("compute_right_eigenvectors");
  const jax_value& given = s.in_parts(0);
  if (is_empty(given)) {
    jax_values out;
    for (std::size_t i = 0; i < s.out_count(); ++i) {
      const value none = filled(s.g, s.out_dtype(i), s.out_dims(i), 0);
      out.push_back(jax_value(none, none));
    }
    return out;
  }
  if (row_count(given).is(1)) return eig_1x1(s);
  if (row_count(given).is(2) && !left && !right) return eigenvalues_of_2x2(s);
  const eigen_input in(given);
  const matrices scaled = balanced(in.a);
  schur_form f(scaled[0], left || right, in.ulp);
  const jax_value w = eigenvalues(f.t);
  const auto finished = [&](const jax_value& x) { return cast_parts(poisoned(x, in.poison), s.out_dtype()); };
  jax_values out{as_vectors(finished(cx::scale(w, in.scale)))};
  if (!left && !right) return out;
  const bool was_real = cx::is_real(given);
  if (was_real) make_triangular(f.t, f.z, w);
  const value make_real =
      transposed(was_real ? logical_not(equal(w.im(), 0)) : filled(s.g, dtype::boolean, w.re().dims(), 1)).re();
  const value& d = scaled[1].re();
  const auto vectors = [&](const jax_value& triangular, const value& scale) {
    return finished(normalized(cx::scale(cx::matmul(f.z, triangular), scale), make_real));
  };
  if (left) out.push_back(vectors(triangular_vectors(adjoint(f.t), cx::conj(w), false), reciprocal(d)));
  if (right) out.push_back(vectors(triangular_vectors(f.t, w, true), d));
  return out;
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering eig_rows[] = {
    {"eig", linalg::eig, "Loop, MatMul", linalg::eig_signature, parts_rule::own,
     ignores{"enable_eigvec_derivs implementation use_magma"}},
};

}  // namespace jax2onnx::lower
