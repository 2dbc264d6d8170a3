// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <jax2onnx/lower/complex/functions.hpp>
#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/ops/math.hpp>

/// Decompositions of 2 by 2 matrices in closed form, on batches in double.
/// Sources: LAPACK's lanv2, laev2, and lahqr for the order of the eigenvalues.
namespace jax2onnx::lower::linalg {

/// Both slices along axis -2 or -1, whose extent is 2.
inline std::pair<jax_value, jax_value> halves(const jax_value& m, std::int64_t axis) {
  const auto split = [&](const value& v) {
    shape dims = v.dims();
    dims[dims.size() - static_cast<std::size_t>(-axis)] = 1;
    const std::vector<tensor_type> types(2, {v.dtype(), dims});
    return v.owner().emit_many("Split", std::vector{v, int64s(v.owner(), {1, 1})}, types, {{"axis", v.rank() + axis}});
  };
  const std::vector<value> re = split(m.re());
  if (cx::is_real(m)) return {re[0], re[1]};
  const std::vector<value> im = split(m.im());
  return {{re[0], im[0]}, {re[1], im[1]}};
}

/// The elements of [[a, b], [c, d]], each as [..., 1, 1].
struct two_by_two {
  jax_value a, b, c, d;
  static two_by_two of(const jax_value& m) {
    const auto [upper, lower] = halves(m, -2);
    const auto [a, b] = halves(upper, -1);
    const auto [c, d] = halves(lower, -1);
    return {a, b, c, d};
  }
};

/// x, with 1 in place of zeros.
inline value nonzero(const value& x) { return where(equal(x, 0), one_of(x), x); }
inline jax_value nonzero(const jax_value& x) {
  if (cx::is_real(x)) return nonzero(x.re());
  return cx::where(equal(pivot_size(x), 0), jax_value(one_of(x), zero_of(x)), x);
}

/// The complex eigenvalues of real or complex matrices in the order in which LAPACK finds them: the eigenvalue farther
/// from d comes first. For upper triangular matrices, a comes first; for lower triangular matrices that are not
/// diagonal, d.
///
/// Let h = (a - d) / 2 and z = h + sqrt(h^2 + b c), with the root that makes |z| larger. The eigenvalues are d + z and
/// d - b c / z.
struct eigenvalues_2x2 {
  jax_value first, second;
  /// `ulp` is the precision of the given elements.
  eigenvalues_2x2(const two_by_two& m, double ulp) {
    const jax_value half = cx::scale(cx::sub(m.a, m.d), number(m, 0.5)), bc = cx::mul(m.b, m.c);
    const jax_value square = cx::add(cx::mul(half, half), bc);
    if (cx::is_real(m.a)) find_real(m, half.re(), bc.re(), square.re(), ulp);
    else find(m, half, bc, signed_like(half, cx::sqrt(square)));
    const value upper = equal(pivot_size(m.c), 0), lower = equal(pivot_size(m.b), 0);
    first = choose(upper, m.a, choose(lower, m.d, first));
    second = choose(upper, m.d, choose(lower, m.a, second));
  }

 private:
  static value number(const two_by_two& m, double x) { return scalar(owner(m.a), cx::part_dtype(m.a), x); }
  /// Replaces an eigenvalue by an element of the matrix where `mask` holds. If the matrix is real, the imaginary part
  /// of this eigenvalue is zero already.
  static jax_value choose(const value& mask, const jax_value& element, const jax_value& otherwise) {
    if (cx::is_real(element)) return {where(mask, element.re(), otherwise.re()), otherwise.im()};
    return cx::where(mask, element, otherwise);
  }
  /// `root` or -`root`: the one that points in the direction of `half`.
  static jax_value signed_like(const jax_value& half, const jax_value& root) {
    const value product = add(mul(half.re(), root.re()), mul(half.im(), root.im()));
    return cx::where(less(product, 0), cx::neg(root), root);
  }
  void find(const two_by_two& m, const jax_value& half, const jax_value& bc, const jax_value& root) {
    const jax_value z = cx::add(half, root);
    first = cx::add(m.d, z);
    second = cx::sub(m.d, cx::div(bc, nonzero(z)));
  }
  /// Finds the eigenvalues of a real matrix, which are real or a conjugate pair. Real ones that are nearly equal, or
  /// small, are ordered by the sign of b + c.
  void find_real(const two_by_two& m, const value& half, const value& bc, const value& square, double ulp) {
    const value root = sqrt(abs(square)), real = greater_equal(square, 0), mean = add(m.d.re(), half);
    const value largest = maximum(abs(half), sqrt(abs(bc)));  // the largest of |half|, |b| and |c| if |b| = |c|
    const value close = less(square, mul(largest, 4 * ulp));
    const value shift = keep(real, with_sign(root, add(m.b.re(), m.c.re()))).re();
    find(m, half, bc, with_sign(root, half));
    const value im = where(real, zero_of(root), root);
    first = jax_value(where(close, add(mean, shift), first.re()), im);
    second = jax_value(where(close, sub(mean, shift), second.re()), neg(im));
  }
};

/// The eigenvalues of symmetric matrices [[a, b], [b, d]], in ascending order, and their eigenvectors: (cosine, sine)
/// for the eigenvalue of larger magnitude, (-sine, cosine) for the other one. The eigenvectors of nearly diagonal
/// matrices are (1, 0) and (0, 1). The signs of the vectors are LAPACK's.
struct symmetric_2x2 {
  value low, high;                     ///< the eigenvalues
  value low_x, low_y, high_x, high_y;  ///< the vectors
  /// `ulp` is the precision of the given elements. With `wide_range`, squares of elements may overflow or underflow.
  symmetric_2x2(const value& a, const value& b, const value& d, double ulp, bool wide_range) {
    const value sum = add(a, d), difference = sub(a, d), twice = mul(b, 2);
    const value root = length(difference, twice, wide_range);
    const value negative = less(sum, 0), falling = less(difference, 0);
    const value diagonal = less_equal(abs(b), mul(mul(sqrt(abs(a)), sqrt(abs(d))), ulp / 2));
    // The eigenvalue of larger magnitude. The other eigenvalue is the determinant divided by `large`.
    const value large = mul(add(sum, where(negative, neg(root), root)), 0.5);
    const value divisor = nonzero(large), small = sub(mul(div(a, divisor), d), mul(div(b, divisor), b));
    const value lower = where(negative, large, small), higher = where(negative, small, large);
    low = where(diagonal, minimum(a, d), lower);
    high = where(diagonal, maximum(a, d), higher);
    // The vectors are (u, v) and its rotation by a right angle.
    const value leading = add(difference, where(falling, neg(root), root));
    const value distance = nonzero(length(twice, leading, wide_range));
    const value flips = where(greater(abs(difference), mul(abs(twice), ulp / 2)), falling, greater(twice, 0));
    const value size = where(flips, neg(distance), distance);
    const value u = neg(div(twice, size)), v = div(leading, size);
    find_vectors(u, v, falling, negative, diagonal, less_equal(difference, 0));
  }

 private:
  static value length(const value& x, const value& y, bool wide_range) {
    return wide_range ? hypot(x, y) : sqrt(add(mul(x, x), mul(y, y)));
  }
  void find_vectors(const value& u, const value& v, const value& falling, const value& negative, const value& diagonal,
                    const value& sorted) {
    const value zero = zero_of(u), one = one_of(u);
    const value turned = equal(falling, negative);
    // The rotation for the eigenvalue of larger magnitude.
    const value cosine = where(turned, neg(v), u), sine = where(turned, u, v);
    const auto choose = [&](const value& if_negative, const value& usual, const value& on_diagonal) {
      return where(diagonal, on_diagonal, where(negative, if_negative, usual));
    };
    const value kept = where(sorted, one, zero), exchanged = where(sorted, zero, one);
    low_x = choose(cosine, neg(sine), kept);
    low_y = choose(sine, cosine, exchanged);
    high_x = choose(neg(sine), cosine, exchanged);
    high_y = choose(cosine, sine, kept);
  }
};

/// The singular values of real matrices, the larger one first.
struct singular_values_2x2 {
  value large, small;
  explicit singular_values_2x2(const two_by_two& m) {
    const value &a = m.a.re(), &b = m.b.re(), &c = m.c.re(), &d = m.d.re();
    const auto length = [](const value& x, const value& y) { return sqrt(add(mul(x, x), mul(y, y))); };
    const value turning = length(add(a, d), sub(b, c)), mirroring = length(sub(a, d), add(b, c));
    large = mul(add(turning, mirroring), 0.5);
    small = div(abs(sub(mul(a, d), mul(b, c))), nonzero(large));
  }
};

}  // namespace jax2onnx::lower::linalg
