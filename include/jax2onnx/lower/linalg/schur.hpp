// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/hessenberg.hpp>
#include <jax2onnx/lower/linalg/jacobi.hpp>
#include <jax2onnx/lower/linalg/schur_iteration.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// schur: the Schur form T = Z^H A Z, by a reduction to Hessenberg form and the QR iteration.
/// Source: jax/_src/lax/linalg.py; LAPACK's gees.
namespace jax2onnx::lower::linalg {

/// T, and with `vectors` also Z, of matrices in double; `ulp` is the precision required of the results.
struct schur_form {
  jax_value t, z;
  schur_form(const jax_value& a, bool vectors, double ulp) {
    graph& g = owner(a);
    dim_table& dims = g.dims();
    const dim n = row_count(a);
    t = a;
    if (vectors) z = identity_like(a, n, n);
    if (n.is(1)) return;
    const qr_factors f = gehrd(a);
    const jax_value h = triangle(f.a, true, -1);
    if (vectors) {
      const jax_value inner = reflected(column_range(row_range(f.a, 1, n), 0, dims.sub(n, 1)), f.taus,
                                        column_range(row_range(z, 1, n), 1, n));
      z = stacked(row_range(z, 0, 1), side_by_side(column_range(row_range(z, 1, n), 0, 1), inner));
    }
    const matrices out = schur_iteration(h, ulp).run(h, vectors ? &z : nullptr);
    t = out[0];
    if (vectors) z = out[1];
  }
};

/// Matrices for the iteration: in double, scaled if squares could overflow or underflow, zero if an element is not
/// finite.
struct eigen_input {
  jax_value a;
  value scale, poison;
  double ulp;
  explicit eigen_input(const jax_value& given) {
    const bool in_double = cx::part_dtype(given) == dtype::f64;
    const scaled_matrices m(given);
    const jax_value wide = cast_parts(given, dtype::f64);
    const value ordinary = logical_and(greater(m.scale, 1e-50), less(m.scale, 1e50));
    poison = m.poison;
    a = keep(logical_not(is_nan(poison)), in_double ? cx::where(ordinary, wide, m.a) : wide);
    scale = in_double ? where(ordinary, one_of(wide), m.scale) : one_of(wide);
    ulp = in_double ? 2.2e-16 : 1.2e-7;
  }
};

/// schur a: T and, with compute_schur_vectors, Z.
inline jax_values schur(const site& s) {
  if (s.param_or("sort_eig_vals", false)) s.unsupported("sort_eig_vals=True is not supported");
  const bool vectors = s.param_or("compute_schur_vectors", true);
  const jax_value& given = s.in_parts(0);
  if (is_empty(given)) return vectors ? jax_values{given, given} : jax_values{given};
  const eigen_input in(given);
  const schur_form f(in.a, vectors, in.ulp);
  const auto finished = [&](const jax_value& x) { return cast_parts(poisoned(x, in.poison), s.out_dtype()); };
  jax_values out{finished(cx::scale(f.t, in.scale))};
  if (vectors) out.push_back(finished(f.z));
  return out;
}

}  // namespace jax2onnx::lower::linalg

namespace jax2onnx::lower {

inline constexpr lowering schur_rows[] = {
    {"schur", linalg::schur, "Loop, MatMul", linalg::schur_signature, parts_rule::own, "sort_eig_vals",
     ignores{"select_callable"}},
};

}  // namespace jax2onnx::lower
