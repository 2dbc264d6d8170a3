// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>

/// Signatures of linear algebra. Source: the shape and dtype rules of jax._src.lax.linalg.
namespace jax2onnx::lower::linalg {

/// Operands with common leading dimensions, the batch: [batch..., m, n] or [batch..., m].
struct operand_shapes {
  const site& s;
  shape batch;

  /// `ranks` are the ranks of the operands without the batch.
  operand_shapes(const site& at, const std::vector<std::int64_t>& ranks) : s(at) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const shape& dims = s.in_type(i).dims;
      if (std::ssize(dims) < ranks[i])
        s.malformed(detail::message("operand {} is {}; it needs at least {} dimension{|s}", i,
                                    text(s.g.dims(), s.in_type(i)), ranks[i]));
      const shape leading = dims.head(std::ssize(dims) - ranks[i]);
      if (i == 0) batch = leading;
      if (provably_differ(s.g.dims(), leading, batch))
        s.malformed(detail::message("operands 0 and {} have the different batches {} and {}", i, s.g.dims().text(batch),
                                    s.g.dims().text(leading)));
    }
  }
  /// An extent of operand i, counted from the end: 1 is the last extent.
  dim extent(std::size_t i, std::size_t from_end) const {
    const shape& dims = s.in_type(i).dims;
    return dims[dims.size() - from_end];
  }
  dim rows(std::size_t i = 0) const { return extent(i, 2); }
  dim columns(std::size_t i = 0) const { return extent(i, 1); }
  dim shorter() const { return s.g.dims().min(rows(), columns()); }
  /// The type of a result [batch..., extents...].
  aval result(const element& e, const shape& extents) const {
    aval t{e, batch};
    t.dims.append(extents);
    return t;
  }
  aval result(const shape& extents) const { return result(s.in_type(0).elem, extents); }
  /// Throws malformed_error if two corresponding extents are known to differ.
  void require_equal(dim a, dim b, std::string_view what) const {
    if (provably_differ(s.g.dims(), a, b))
      s.malformed(detail::message("{}: {} and {}", what, s.g.dims().text(a), s.g.dims().text(b)));
  }
  void require_square(std::size_t i = 0) const { require_equal(rows(i), columns(i), "its matrix is not square"); }
};

/// The operands, which must have one element type, of a kind in `Allowed`, and the ranks `Ranks` without the batch.
template <kinds Allowed, std::int64_t... Ranks>
operand_shapes operands_of(const site& s) {
  for (std::size_t i = 0; i < sizeof...(Ranks); ++i) {
    require_kind(s, i, Allowed);
    require_same_element(s, i, 0);
  }
  return {s, {Ranks...}};
}

/// The element type of absolute values.
inline element real_of(const element& e) { return e.cls == element_class::complex ? element_named(name(e.part)) : e; }
inline element complex_of(const element& e) {
  return e.cls == element_class::complex ? e : element_named(e.part == dtype::f64 ? "c128" : "c64");
}

/// The number of values that subset_by_index = (first, end) selects; `all` if subset_by_index is None.
inline dim subset_size(const site& s, dim all) {
  const auto range = s.param_or<shape>("subset_by_index", {0, all});
  if (range.size() != 2 || provably_less(s.g.dims(), range[0], 0) || provably_less(s.g.dims(), range[1], range[0]) ||
      provably_less(s.g.dims(), all, range[1]))
    s.malformed(detail::message("its subset_by_index {} is not a pair (first, end) with 0 <= first <= end <= {}",
                                s.g.dims().text(range), s.g.dims().text(all)));
  return s.g.dims().sub(range[1], range[0]);
}

inline std::vector<aval> cholesky_types(const site& s) {
  operands_of<kinds::inexact, 2>(s).require_square();
  return {s.in_type(0)};
}

/// The result types of `cholesky_update factor vector`.
inline std::vector<aval> cholesky_update_types(const site& s) {
  const auto a = operands_of<kinds::floating, 2, 1>(s);
  require_rank(s, 0, 2);
  a.require_square();
  a.require_equal(a.columns(), a.columns(1), "its matrix and its vector differ in size");
  return {s.in_type(0)};
}

inline std::vector<aval> eig_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2>(s);
  a.require_square();
  const element e = complex_of(s.in_type(0).elem);
  std::vector<aval> out{a.result(e, {a.rows()})};
  for (std::string_view key : {"compute_left_eigenvectors", "compute_right_eigenvectors"})
    if (s.param<bool>(key)) out.push_back({e, s.in_type(0).dims});
  return for_all_results(s, out);
}

inline std::vector<aval> eigh_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2>(s);
  a.require_square();
  const dim found = subset_size(s, a.rows());
  return {a.result({a.rows(), found}), a.result(real_of(s.in_type(0).elem), {found})};
}

inline std::vector<aval> hessenberg_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2>(s);
  a.require_square();
  return {s.in_type(0), a.result({s.g.dims().sub(a.rows(), 1)})};
}

/// The result types of `householder_product reflectors factors`.
inline std::vector<aval> householder_product_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2, 1>(s);
  if (provably_less(s.g.dims(), a.rows(), a.columns())) s.malformed("its matrix has fewer rows than columns");
  if (provably_less(s.g.dims(), a.columns(), a.columns(1))) s.malformed("it has more factors than columns");
  return {s.in_type(0)};
}

/// The result types of `ormqr reflectors factors matrix`.
inline std::vector<aval> ormqr_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2, 1, 2>(s);
  a.require_equal(a.rows(), s.param<bool>("left") ? a.rows(2) : a.columns(2), "its matrices differ in size");
  if (provably_less(s.g.dims(), a.shorter(), a.columns(1))) s.malformed("it has more factors than reflectors");
  return {s.in_type(2)};
}

inline std::vector<aval> lu_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2>(s);
  return {s.in_type(0), a.result(element_named("i32"), {a.shorter()}), a.result(element_named("i32"), {a.rows()})};
}

inline std::vector<aval> lu_pivots_to_permutation_types(const site& s) {
  const auto pivots = operands_of<kinds::signed_integer, 1>(s);
  const dim size = s.param<dim>("permutation_size");
  if (provably_less(s.g.dims(), size, pivots.columns()))
    s.malformed("its permutation_size is less than the number of its pivots");
  return {pivots.result({size})};
}

inline std::vector<aval> geqrf_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2>(s);
  return {s.in_type(0), a.result({a.shorter()})};
}

/// The result types of `geqp3 matrix pivots`.
inline std::vector<aval> geqp3_types(const site& s) {
  require_kind(s, 0, kinds::inexact);
  require_kind(s, 1, kinds::integer);
  const operand_shapes a(s, {2, 1});
  a.require_equal(a.columns(), a.columns(1), "its matrix and its pivots differ in size");
  return {s.in_type(0), s.in_type(1), a.result({a.shorter()})};
}

inline std::vector<aval> qr_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2>(s);
  const dim k = s.param<bool>("full_matrices") ? a.rows() : a.shorter();
  std::vector<aval> out{a.result({a.rows(), k}), a.result({k, a.columns()})};
  if (s.param_or("pivoting", false)) out.push_back(a.result(element_named("i32"), {a.columns()}));
  return for_all_results(s, out);
}

inline std::vector<aval> schur_types(const site& s) {
  operands_of<kinds::inexact, 2>(s).require_square();
  return for_all_results(s, std::vector(s.param<bool>("compute_schur_vectors") ? 2 : 1, s.in_type(0)));
}

inline std::vector<aval> svd_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2>(s);
  const bool full = s.param<bool>("full_matrices");
  const dim found = subset_size(s, a.shorter());
  const aval values = a.result(real_of(s.in_type(0).elem), {found});
  if (!s.param<bool>("compute_uv")) return for_all_results(s, {values});
  return for_all_results(
      s, {values, a.result({a.rows(), full ? a.rows() : found}), a.result({full ? a.columns() : found, a.columns()})});
}

/// The result types of `symmetric_product a c`.
inline std::vector<aval> symmetric_product_types(const site& s) {
  const auto a = operands_of<kinds::floating, 2, 2>(s);
  a.require_square(1);
  a.require_equal(a.rows(0), a.rows(1), "its matrices differ in size");
  return {s.in_type(1)};
}

/// The result types of `triangular_solve a b`.
inline std::vector<aval> triangular_solve_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2, 2>(s);
  a.require_square();
  a.require_equal(a.columns(), s.param<bool>("left_side") ? a.rows(1) : a.columns(1), "its matrices differ in size");
  return {s.in_type(1)};
}

inline std::vector<aval> tridiagonal_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 2>(s);
  a.require_square();
  if (a.rows().is(0)) s.malformed("its matrix is empty");
  const dim below = s.g.dims().sub(a.rows(), 1);
  const element real = real_of(s.in_type(0).elem);
  return {s.in_type(0), a.result(real, {a.rows()}), a.result(real, {below}), a.result({below})};
}

/// The result types of `tridiagonal_solve lower diagonal upper b`.
inline std::vector<aval> tridiagonal_solve_types(const site& s) {
  const auto a = operands_of<kinds::inexact, 1, 1, 1, 2>(s);
  for (std::size_t i : {1u, 2u}) a.require_equal(a.columns(i), a.columns(), "its diagonals differ in size");
  a.require_equal(a.rows(3), a.columns(), "its diagonals and its matrix differ in size");
  return {s.in_type(3)};
}

inline constexpr signature cholesky_signature{1, 1, cholesky_types};
inline constexpr signature cholesky_update_signature{2, 1, cholesky_update_types};
inline constexpr signature eig_signature{
    1,
    {1, 3},
    eig_types,
    {{"compute_left_eigenvectors", param_form::flag}, {"compute_right_eigenvectors", param_form::flag}}};
inline constexpr signature eigh_signature{
    1,
    2,
    eigh_types,
    {{"lower", param_form::flag},
     {"subset_by_index", param_form::list, "the first index and the index after the last"}}};
inline constexpr signature hessenberg_signature{1, 2, hessenberg_types};
inline constexpr signature householder_product_signature{2, 1, householder_product_types};
inline constexpr signature ormqr_signature{
    3, 1, ormqr_types, {{"left", param_form::flag}, {"transpose", param_form::flag}}};
inline constexpr signature lu_signature{1, 3, lu_types};
inline constexpr signature lu_pivots_to_permutation_signature{
    1, 1, lu_pivots_to_permutation_types, {{"permutation_size", param_form::extent}}};
inline constexpr signature geqrf_signature{1, 2, geqrf_types};
inline constexpr signature geqp3_signature{2, 3, geqp3_types};
inline constexpr signature qr_signature{
    1, {2, 3}, qr_types, {{"full_matrices", param_form::flag}, {"pivoting", param_form::flag}}};
inline constexpr signature schur_signature{
    1, {1, 2}, schur_types, {{"compute_schur_vectors", param_form::flag}, {"sort_eig_vals", param_form::flag}}};
inline constexpr signature svd_signature{
    1,
    {1, 3},
    svd_types,
    {{"compute_uv", param_form::flag},
     {"full_matrices", param_form::flag},
     {"subset_by_index", param_form::list, "the first index and the index after the last"}}};
inline constexpr signature symmetric_product_signature{
    2, 1, symmetric_product_types, {{"alpha", param_form::real}, {"beta", param_form::real}}};
inline constexpr signature triangular_solve_signature{2,
                                                      1,
                                                      triangular_solve_types,
                                                      {{"conjugate_a", param_form::flag},
                                                       {"left_side", param_form::flag},
                                                       {"lower", param_form::flag},
                                                       {"transpose_a", param_form::flag},
                                                       {"unit_diagonal", param_form::flag}}};
inline constexpr signature tridiagonal_signature{1, 4, tridiagonal_types, {{"lower", param_form::flag}}};
inline constexpr signature tridiagonal_solve_signature{
    4, 1, tridiagonal_solve_types, {{"perturb_singular", param_form::flag}}};

}  // namespace jax2onnx::lower::linalg
