// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/qr.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// hessenberg: Q^H A Q by Householder reflectors, as a Loop over the columns.
/// Sources: jax/_src/lax/linalg.py; LAPACK's gehrd.
namespace jax2onnx::lower::linalg {

/// Q^H A Q on and above the first subdiagonal, below it the reflectors whose product is Q, and their taus [..., n - 1].
inline qr_factors gehrd(const jax_value& a) {
  graph& g = owner(a);
  const dim n = row_count(a), steps = g.dims().sub(n, 1);
  const value rows = row_numbers(g, n), columns = column_numbers(g, n), slots = row_numbers(g, steps);
  const shape tau_dims = matrix_dims(a, steps, 1);
  const jax_value zeros = each_part(a, [&](const value& v) { return filled(g, v.dtype(), tau_dims, 0); });
  if (steps.is(0)) return {a, as_vectors(zeros), {}};
  const matrices last = repeat(g, steps, {a, zeros}, [&](const value& k, const matrices& carried) {
    const value next = add(k, 1);
    const jax_value c = column(carried[0], k);
    const reflector h(c, rows, next);
    const jax_value both = reflect(reflect_right(carried[0], h.tau, h.v), cx::conj(h.tau), h.v);
    const jax_value packed = cx::where(less(rows, next), c, cx::where(equal(rows, next), h.beta, h.v));
    const jax_value rest = cx::where(greater(columns, k), both, carried[0]);
    return matrices{cx::where(equal(columns, k), packed, rest), cx::where(equal(slots, k), h.tau, carried[1])};
  });
  return {last[0], as_vectors(last[1]), {}};
}

inline jax_values hessenberg(const site& s) {
  const jax_value& a = s.in_parts(0);
  if (is_empty(a)) return {a, each_part(a, [&](const value& v) { return filled(s.g, v.dtype(), s.out_dims(1), 0); })};
  const qr_factors f = gehrd(a);
  return {f.a, f.taus};
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering hessenberg_rows[] = {
    {"hessenberg", linalg::hessenberg, "Loop, MatMul", linalg::hessenberg_signature, parts_rule::own},
};

}  // namespace jax2onnx::lower
