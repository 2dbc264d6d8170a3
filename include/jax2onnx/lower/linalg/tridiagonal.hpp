// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/eigh.hpp>
#include <jax2onnx/lower/linalg/hessenberg.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// tridiagonal: reduces symmetric and Hermitian matrices to tridiagonal form, by the reduction to Hessenberg form.
/// Sources: jax/_src/lax/linalg.py; LAPACK's sytrd, hetrd.
namespace jax2onnx::lower::linalg {

/// Rows and columns in reverse order.
inline jax_value flipped(const jax_value& a) {
  return each_part(a, [](const value& v) { return reverse(v, {v.rank() - 2, v.rank() - 1}); });
}
/// The diagonal that starts in row `below`, as [..., n - below].
inline value diagonal(const value& v, dim below) {
  graph& g = v.owner();
  const dim n = row_count(v), length = g.dims().sub(n, below);
  const value at = equal(row_numbers(g, n), add(column_numbers(g, length), as_scalar(g, below)));
  const value kept = keep(at, slice(v, v.rank() - 1, 0, length)).re();
  return reduce("ReduceSum", kept, {v.rank() - 2});
}

/// tridiagonal a: the reflectors in the given triangle, the diagonal, the first off-diagonal, and the taus. The upper
/// triangle is reduced from the last column on, as the lower triangle of the flipped matrix.
inline jax_values tridiagonal(const site& s) {
  const bool lower = s.param<bool>("lower");
  const jax_value& given = s.in_parts(0);
  if (is_empty(given)) {
    jax_values out{given};
    for (std::size_t i = 1; i < 4; ++i) out.push_back(filled(s.g, s.out_dtype(i), s.out_dims(i), 0));
    if (!cx::is_real(given)) out[3] = jax_value(out[3].re(), out[3].re());
    return out;
  }
  const jax_value whole = hermitian(given, lower);
  const qr_factors f = gehrd(lower ? whole : flipped(whole));
  value d = diagonal(f.a.re(), 0), e = diagonal(f.a.re(), 1);
  jax_value packed = f.a, taus = f.taus;
  if (!cx::is_real(packed)) {  // the diagonal is real, up to rounding
    const value on = equal(row_numbers(s.g, row_count(given)), column_numbers(s.g, row_count(given)));
    packed = jax_value(packed.re(), where(on, zero_of(packed), packed.im()));
  }
  if (!lower) {
    const auto backward = [](const value& v) { return reverse(v, {v.rank() - 1}); };
    packed = flipped(packed);
    d = backward(d);
    e = backward(e);
    taus = each_part(taus, backward);
  }
  const value rows = row_numbers(s.g, row_count(given)), columns = column_numbers(s.g, row_count(given));
  const value inside = lower ? greater_equal(rows, columns) : less_equal(rows, columns);
  return {cx::where(inside, packed, given), d, e, taus};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering tridiagonal_rows[] = {
    {"tridiagonal", linalg::tridiagonal, "Loop, MatMul, Trilu", linalg::tridiagonal_signature, parts_rule::own},
};

}  // namespace jax2onnx::lower
