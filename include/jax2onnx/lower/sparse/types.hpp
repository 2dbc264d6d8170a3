// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <jax2onnx/lower/linear/types.hpp>
#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>

/// The forms of sparse arrays, and the signatures of their primitives. Sources: jax.experimental.sparse,
/// _validate_bcoo, _validate_bcsr and the rules named _abstract_eval; jax.experimental.sparse.linalg,
/// _spsolve_abstract_eval.
namespace jax2onnx::lower {

/// The axes of a sparse array in order: batch, sparse, dense. The data of the array are [batch..., nse, dense...], and
/// each of the nse elements has `n_sparse` indices. A batch extent of data or indices may also be 1; then it is
/// broadcast.
struct sparse_form {
  shape dims;  ///< the shape of the dense array
  std::int64_t n_batch = 0, n_sparse = 0;
  dim nse;

  shape batch() const { return dims.head(n_batch); }
  shape sparse() const { return dims.tail(n_batch).head(n_sparse); }
  shape dense() const { return dims.tail(n_batch + n_sparse); }
  /// The shape of the array's data, with the full batch extents.
  shape data() const {
    shape out = batch();
    out.push_back(nse);
    out.append(dense());
    return out;
  }
};

/// The shape in a parameter such as SparseInfo(shape=(3, 4), indices_sorted=True, unique_indices=True).
inline shape info_shape(const site& s, std::string_view key) {
  const jaxpr::value& info = s.tree(key);
  if (!keyword(info, "shape")) s.malformed(detail::message("its {} has no shape", key));
  auto dims = s.argument_or<shape>(info, "shape", {});
  for (dim d : dims)
    if (provably_less(s.g.dims(), d, 0)) s.malformed(detail::message("its {} has a negative extent", key));
  return dims;
}

/// Operand i must begin with these batch extents; each may also be 1.
inline void require_batch(const site& s, std::size_t i, const shape& batch) {
  const shape& dims = s.in_type(i).dims;
  for (std::size_t d = 0; d < batch.size(); ++d)
    if (!dims[d].is(1) && provably_differ(s.g.dims(), dims[d], batch[d]))
      s.malformed(detail::message("operand {} is {}, but the array has the batch {}", i, text(s.g.dims(), s.in_type(i)),
                                  s.g.dims().text(batch)));
}

/// Operand i must be [batch..., rest...]; the batch may be broadcast.
inline void require_batched(const site& s, std::size_t i, const shape& batch, const shape& rest) {
  require_rank(s, i, std::ssize(batch) + std::ssize(rest));
  require_batch(s, i, batch);
  if (provably_differ(s.g.dims(), s.in_type(i).dims.tail(std::ssize(batch)), rest))
    s.malformed(detail::message("operand {} is {}; the extents after its batch must be {}", i,
                                text(s.g.dims(), s.in_type(i)), s.g.dims().text(rest)));
}

/// The form of an array of shape `dims` with the indices in operand i: [batch..., nse, n_sparse].
inline sparse_form bcoo_form(const site& s, std::size_t i, const shape& dims) {
  require_kind(s, i, kinds::integer);
  const aval& t = s.in_type(i);
  if (t.rank() < 2 || !t.dims.back().is_constant() || t.rank() - 2 + t.dims.back().extent() > std::ssize(dims))
    s.malformed(detail::message("operand {} is {}, which cannot be indices of an array {}", i, text(s.g.dims(), t),
                                s.g.dims().text(dims)));
  sparse_form f{dims, t.rank() - 2, t.dims.back().extent(), t.dims[t.dims.size() - 2]};
  require_batch(s, i, f.batch());
  return f;
}
/// The form of an array in compressed rows: operand i has the column of every element, [batch..., nse], operand i + 1
/// the first element of every row, [batch..., rows + 1].
inline sparse_form bcsr_form(const site& s, std::size_t i, const shape& dims) {
  for (std::size_t operand : {i, i + 1}) require_kind(s, operand, kinds::integer);
  const aval& t = s.in_type(i);
  if (t.rank() < 1 || t.rank() + 1 > std::ssize(dims))
    s.malformed(detail::message("operand {} is {}, which cannot hold column indices for an array {}", i,
                                text(s.g.dims(), t), s.g.dims().text(dims)));
  sparse_form f{dims, t.rank() - 1, 2, t.dims.back()};
  require_batch(s, i, f.batch());
  require_batched(s, i + 1, f.batch(), {s.g.dims().add(f.sparse()[0], 1)});
  return f;
}
/// The form of a matrix with the row and the column of every element in operands i and i + 1, [nse].
inline sparse_form coo_form(const site& s, std::size_t i, const shape& dims) {
  if (dims.size() != 2) s.malformed(detail::message("its shape {} is not that of a matrix", s.g.dims().text(dims)));
  for (std::size_t operand : {i, i + 1}) {
    require_kind(s, operand, kinds::integer);
    require_rank(s, operand, 1);
  }
  require_shape(s, i + 1, s.in_type(i).dims, "the row indices");
  return {dims, 0, 2, s.in_type(i).dims[0]};
}
/// Operand i must be the data of an array of this form.
inline void require_data(const site& s, std::size_t i, const sparse_form& f, kinds allowed = kinds::number) {
  require_kind(s, i, allowed);
  shape rest{f.nse};
  rest.append(f.dense());
  require_batched(s, i, f.batch(), rest);
}

/// The forms of arrays that are given by their data and their indices, as operands.
/// @{
inline sparse_form bcoo_operands(const site& s, std::size_t first, std::string_view info,
                                 kinds allowed = kinds::number) {
  sparse_form f = bcoo_form(s, first + 1, info_shape(s, info));
  require_data(s, first, f, allowed);
  return f;
}
inline sparse_form bcsr_operands(const site& s, std::string_view info) {
  sparse_form f = bcsr_form(s, 1, info_shape(s, info));
  require_data(s, 0, f);
  return f;
}
inline sparse_form coo_operands(const site& s) {
  sparse_form f = coo_form(s, 1, info_shape(s, "spinfo"));
  require_data(s, 0, f);
  return f;
}
inline sparse_form csr_operands(const site& s) {
  const auto dims = s.param<shape>("shape");
  if (dims.size() != 2) s.malformed(detail::message("its shape {} is not that of a matrix", s.g.dims().text(dims)));
  sparse_form f = bcsr_form(s, 1, dims);
  require_rank(s, 1, 1);
  require_data(s, 0, f);
  return f;
}
/// @}

/// The common batch of data and indices: for each axis, the extent of `a`, or the extent of `b` if that of `a` is 1.
inline shape joint_batch(const shape& a, const shape& b, std::int64_t n_batch) {
  shape out = a.head(n_batch);
  for (std::size_t d = 0; d < out.size(); ++d)
    if (out[d].is(1)) out[d] = b[d];
  return out;
}

/// The result types of conversions to a dense array.
/// @{
inline std::vector<aval> bcoo_todense_types(const site& s) {
  return {{s.in_type(0).elem, bcoo_operands(s, 0, "spinfo").dims}};
}
inline std::vector<aval> bcsr_todense_types(const site& s) {
  return {{s.in_type(0).elem, bcsr_operands(s, "spinfo").dims}};
}
inline std::vector<aval> coo_todense_types(const site& s) { return {{s.in_type(0).elem, coo_operands(s).dims}}; }
inline std::vector<aval> csr_todense_types(const site& s) { return {{s.in_type(0).elem, csr_operands(s).dims}}; }
/// @}

/// The form of operand 0 after fromdense. In formats without n_batch and n_dense, all axes are sparse.
inline sparse_form stored_form(const site& s) {
  const shape& dims = s.in_type(0).dims;
  require_kind(s, 0, kinds::data);
  const auto n_batch = s.param_or<std::int64_t>("n_batch", 0), n_dense = s.param_or<std::int64_t>("n_dense", 0);
  const dim nse = s.param<dim>("nse");
  if (n_batch > std::ssize(dims) || n_dense > std::ssize(dims) - n_batch)
    s.malformed(detail::message("its n_batch is {} and its n_dense is {}: too many axes for operand 0, which is {}",
                                n_batch, n_dense, text(s.g.dims(), s.in_type(0))));
  if (provably_less(s.g.dims(), nse, 0)) s.malformed("its nse is negative");
  return {dims, n_batch, std::ssize(dims) - n_batch - n_dense, nse};
}
/// The form of operand 0 after fromdense, for a format that stores rows and columns.
inline sparse_form stored_matrix_form(const site& s) {
  sparse_form f = stored_form(s);
  if (f.n_sparse != 2) s.malformed(detail::message("operand 0 has {} sparse ax{is|es} instead of 2", f.n_sparse));
  return f;
}
inline element index_element(const site& s) {
  const auto e = s.param<element>("index_dtype");
  if (e.cls != element_class::plain || !is_integer(e.part))
    s.malformed(detail::message("its index_dtype {} is not an integer type", e.name));
  return e;
}
/// The type [batch..., rest...] of the indices of a form.
inline aval index_type(const site& s, const sparse_form& f, const shape& rest) {
  aval out{index_element(s), f.batch()};
  out.dims.append(rest);
  return out;
}

inline std::vector<aval> bcoo_fromdense_types(const site& s) {
  const sparse_form f = stored_form(s);
  return for_all_results(s, {{s.in_type(0).elem, f.data()}, index_type(s, f, {f.nse, f.n_sparse})});
}
inline std::vector<aval> bcsr_fromdense_types(const site& s) {
  const sparse_form f = stored_matrix_form(s);
  return for_all_results(
      s,
      {{s.in_type(0).elem, f.data()}, index_type(s, f, {f.nse}), index_type(s, f, {s.g.dims().add(f.sparse()[0], 1)})});
}
inline std::vector<aval> coo_fromdense_types(const site& s) {
  const sparse_form f = stored_matrix_form(s);
  const aval index = index_type(s, f, {f.nse});
  return for_all_results(s, {{s.in_type(0).elem, f.data()}, index, index});
}

/// The result types of primitives that read elements of a dense array, the last operand, at indices.
/// @{
inline std::vector<aval> bcoo_extract_types(const site& s) {
  require_kind(s, 1, s.param<bool>("assume_unique") ? kinds::data : kinds::number);
  return {{s.in_type(1).elem, bcoo_form(s, 0, s.in_type(1).dims).data()}};
}
inline std::vector<aval> bcsr_extract_types(const site& s) {
  require_kind(s, 2, kinds::data);
  return {{s.in_type(2).elem, bcsr_form(s, 0, s.in_type(2).dims).data()}};
}
/// @}

/// A permutation of the axes of a sparse array, split by kind. Axes are counted from the first axis of their kind.
struct sparse_permutation {
  ints batch, sparse, dense;
};
inline sparse_permutation sparse_permutation_of(const site& s, const sparse_form& f) {
  const auto all = s.param<ints>("permutation");
  require_axes(s, "permutation", all, std::ssize(f.dims));
  if (all.size() != f.dims.size()) s.malformed("its permutation does not name every axis");
  sparse_permutation out;
  for (std::int64_t i = 0; i < std::ssize(all); ++i) {
    const std::int64_t axis = all[static_cast<std::size_t>(i)], dense = f.n_batch + f.n_sparse;
    ints& kind = i < f.n_batch ? out.batch : i < dense ? out.sparse : out.dense;
    const std::int64_t first = i < f.n_batch ? 0 : i < dense ? f.n_batch : dense;
    const std::int64_t last = i < f.n_batch ? f.n_batch : i < dense ? dense : std::ssize(all);
    if (axis < first || axis >= last) s.malformed("its permutation mixes batch, sparse and dense axes");
    kind.push_back(axis - first);
  }
  return out;
}

inline std::vector<aval> bcoo_transpose_types(const site& s) {
  const sparse_form f = bcoo_operands(s, 0, "spinfo", kinds::data);
  const sparse_permutation p = sparse_permutation_of(s, f);
  const shape &data = s.in_type(0).dims, &indices = s.in_type(1).dims;
  aval moved{s.in_type(0).elem, extents_at(data, p.batch)}, placed{s.in_type(1).elem, extents_at(indices, p.batch)};
  moved.dims.push_back(f.nse);
  moved.dims.append(extents_at(data.tail(f.n_batch + 1), p.dense));
  placed.dims.append(indices.tail(f.n_batch));
  return for_all_results(s, {moved, placed});
}

/// The type of data with `nse` elements and the common batch of data and indices.
inline aval joint_data(const site& s, const sparse_form& f, dim nse) {
  aval out{s.in_type(0).elem, joint_batch(s.in_type(0).dims, s.in_type(1).dims, f.n_batch)};
  out.dims.push_back(nse);
  out.dims.append(f.dense());
  return out;
}
inline std::vector<aval> bcoo_sort_indices_types(const site& s) {
  const sparse_form f = bcoo_operands(s, 0, "spinfo", kinds::data);
  return for_all_results(s, {f.n_sparse == 0 ? s.in_type(0) : joint_data(s, f, f.nse), s.in_type(1)});
}
inline std::vector<aval> bcoo_sum_duplicates_types(const site& s) {
  const sparse_form f = bcoo_operands(s, 0, "spinfo");
  const dim nse = s.param<dim>("nse");
  if (provably_less(s.g.dims(), nse, 0)) s.malformed("its nse is negative");
  aval indices = s.in_type(1);
  indices.dims[indices.dims.size() - 2] = nse;
  return for_all_results(s, {joint_data(s, f, nse), indices});
}

/// The result types of a product of a sparse array (the first operands) and a dense array (the last operand).
inline std::vector<aval> sparse_product_types(const site& s, const sparse_form& f) {
  const auto d = s.param<dot_numbers>("dimension_numbers");
  const shape& rhs = s.in_type(s.arity() - 1).dims;
  check_dot_numbers(s, d, f.dims, rhs);
  for (std::int64_t axis : d[1][0])
    if (axis >= f.n_batch) s.malformed("its batch axes are not batch axes of the sparse array");
  for (std::int64_t axis : d[0][0])
    if (axis >= f.n_batch + f.n_sparse) s.malformed("it contracts dense axes of the sparse array");
  return {{product_element(s, s.arity() - 1), dot_shape(d, f.dims, rhs)}};
}
inline std::vector<aval> bcoo_dot_general_types(const site& s) {
  return sparse_product_types(s, bcoo_operands(s, 0, "lhs_spinfo"));
}
inline std::vector<aval> bcsr_dot_general_types(const site& s) {
  return sparse_product_types(s, bcsr_operands(s, "lhs_spinfo"));
}
/// The result types of a matrix, or its transpose, times a dense array of `rank` axes.
inline std::vector<aval> matrix_product_types(const site& s, const sparse_form& f, std::int64_t rank) {
  const bool is_transposed = s.param<bool>("transpose");
  require_same_element(s, 3, 0);
  require_rank(s, 3, rank);
  aval out = s.in_type(3);
  if (provably_differ(s.g.dims(), out.dims[0], f.dims[is_transposed ? 0 : 1]))
    s.malformed(
        detail::message("operand 3 is {}, but the matrix is {}", text(s.g.dims(), out), s.g.dims().text(f.dims)));
  out.dims[0] = f.dims[is_transposed ? 1 : 0];
  return {out};
}
template <std::int64_t Rank>
std::vector<aval> coo_product_types(const site& s) {
  return matrix_product_types(s, coo_operands(s), Rank);
}
template <std::int64_t Rank>
std::vector<aval> csr_product_types(const site& s) {
  return matrix_product_types(s, csr_operands(s), Rank);
}

/// The types of the elements of the product of operands 0 and 1 at the indices in operand 2.
inline std::vector<aval> sampled_product_types(const site& s) {
  const auto d = s.param<dot_numbers>("dimension_numbers");
  const shape &lhs = s.in_type(0).dims, &rhs = s.in_type(1).dims;
  check_dot_numbers(s, d, lhs, rhs);
  return {{product_element(s), bcoo_form(s, 2, dot_shape(d, lhs, rhs)).data()}};
}

/// The product of two sparse arrays. The product is a sparse array.
struct sparse_pair {
  sparse_form lhs, rhs;
  dot_numbers d;
  shape batch, out_sparse;  ///< extents of the product
  dim nse;

  explicit sparse_pair(const site& s)
      : lhs(bcoo_operands(s, 0, "lhs_spinfo")),
        rhs(bcoo_operands(s, 2, "rhs_spinfo")),
        d(s.param<dot_numbers>("dimension_numbers")) {
    check_dot_numbers(s, d, lhs.dims, rhs.dims);
    if (!lhs.dense().empty() || !rhs.dense().empty()) s.malformed("its operands must not have dense axes");
    check_side(s, d[0][0], d[1][0], lhs);
    check_side(s, d[0][1], d[1][1], rhs);
    batch = extents_at(lhs.dims, d[1][0]);
    append_free_batch(s, 0, lhs, d[1][0]);
    append_free_batch(s, 2, rhs, d[1][1]);
    const ints l = free_sparse(0), r = free_sparse(1);
    out_sparse = extents_at(lhs.dims, l);
    out_sparse.append(extents_at(rhs.dims, r));
    if (std::ssize(d[1][1]) < rhs.n_batch && !l.empty())
      s.malformed("rhs has free batch axes, and lhs has free sparse axes; JAX allows only one of the two");
    dim_table& table = s.g.dims();
    nse = table.min(table.mul(l.empty() ? dim(1) : lhs.nse, r.empty() ? dim(1) : rhs.nse), table.product(out_sparse));
  }

  /// The sparse axes of lhs (0) or rhs (1) that are not contracted.
  ints free_sparse(std::size_t side) const {
    const sparse_form& f = side == 0 ? lhs : rhs;
    return complement(std::ssize(f.dims), iota_axes(f.n_batch), d[0][side]);
  }

 private:
  static void check_side(const site& s, const ints& contracted, const ints& batch_axes, const sparse_form& f) {
    for (std::int64_t axis : contracted)
      if (axis < f.n_batch) s.malformed("it contracts batch axes of a sparse array");
    for (std::int64_t axis : batch_axes)
      if (axis >= f.n_batch) s.malformed("its batch axes are not batch axes of the sparse arrays");
  }
  void append_free_batch(const site& s, std::size_t data, const sparse_form& f, const ints& taken) {
    const shape joint = joint_batch(s.in_type(data).dims, s.in_type(data + 1).dims, f.n_batch);
    batch.append(extents_at(joint, complement(f.n_batch, taken)));
  }
};
inline std::vector<aval> bcoo_spdot_general_types(const site& s) {
  const sparse_pair p(s);
  aval data{product_element(s, 2), p.batch}, indices{s.in_type(1).elem, p.batch};
  for (aval* t : {&data, &indices}) t->dims.push_back(p.nse);
  indices.dims.push_back(std::ssize(p.out_sparse));
  return for_all_results(s, {data, indices});
}

/// The result types of spsolve: the type of the right-hand side, operand 3.
inline std::vector<aval> spsolve_types(const site& s) {
  require_kind(s, 0, kinds::inexact);
  require_same_element(s, 3, 0);
  require_rank(s, 3, 1);
  const dim n = s.in_type(3).dims[0];
  const sparse_form f = bcsr_form(s, 1, {n, n});
  require_data(s, 0, f);
  return {s.in_type(3)};
}

inline constexpr param_rule sparse_info{"spinfo", param_form::structure, "shape"};
inline constexpr param_rule lhs_info{"lhs_spinfo", param_form::structure, "shape"};
inline constexpr param_rule dot_dimensions{"dimension_numbers", param_form::list,
                                           "((lhs, rhs) contracted, (lhs, rhs) batch)"};
inline constexpr param_rule product_type{"preferred_element_type", param_form::element};
inline constexpr param_rule nse_rule{"nse", param_form::extent, 0};
inline constexpr param_rule index_dtype{"index_dtype", param_form::element};
inline constexpr param_rule matrix_shape{"shape", param_form::dims, 0, dim::limit - 1};
inline constexpr param_rule transpose_rule{"transpose", param_form::flag};

inline constexpr signature bcoo_todense_signature{2, 1, bcoo_todense_types, {sparse_info}};
inline constexpr signature bcoo_fromdense_signature{
    1,
    2,
    bcoo_fromdense_types,
    {nse_rule, {"n_batch", param_form::number, 0}, {"n_dense", param_form::number, 0}, index_dtype}};
inline constexpr signature bcoo_extract_signature{2, 1, bcoo_extract_types, {{"assume_unique", param_form::flag}}};
inline constexpr signature bcoo_transpose_signature{
    2, 2, bcoo_transpose_types, {{"permutation", param_form::numbers}, sparse_info}};
inline constexpr signature bcoo_sort_indices_signature{2, 2, bcoo_sort_indices_types, {sparse_info}};
inline constexpr signature bcoo_sum_duplicates_signature{2, 2, bcoo_sum_duplicates_types, {nse_rule, sparse_info}};
inline constexpr signature bcoo_dot_general_signature{
    3, 1, bcoo_dot_general_types, {dot_dimensions, lhs_info, product_type}};
inline constexpr signature bcoo_sampled_signature{3, 1, sampled_product_types, {dot_dimensions}};
inline constexpr signature bcoo_spdot_signature{
    4,
    2,
    bcoo_spdot_general_types,
    {dot_dimensions, lhs_info, {"rhs_spinfo", param_form::structure, "shape"}, product_type}};
inline constexpr signature bcsr_todense_signature{3, 1, bcsr_todense_types, {sparse_info}};
inline constexpr signature bcsr_fromdense_signature{
    1,
    3,
    bcsr_fromdense_types,
    {nse_rule, {"n_batch", param_form::number, 0}, {"n_dense", param_form::number, 0}, index_dtype}};
inline constexpr signature bcsr_extract_signature{3, 1, bcsr_extract_types};
inline constexpr signature bcsr_dot_general_signature{
    4, 1, bcsr_dot_general_types, {dot_dimensions, lhs_info, product_type}};
inline constexpr signature coo_todense_signature{3, 1, coo_todense_types, {sparse_info}};
inline constexpr signature coo_fromdense_signature{1, 3, coo_fromdense_types, {nse_rule, index_dtype}};
inline constexpr signature csr_todense_signature{3, 1, csr_todense_types, {matrix_shape}};
inline constexpr signature csr_fromdense_signature{1, 3, bcsr_fromdense_types, {nse_rule, index_dtype}};
template <std::int64_t Rank>
inline constexpr signature coo_product_signature{4, 1, coo_product_types<Rank>, {sparse_info, transpose_rule}};
template <std::int64_t Rank>
inline constexpr signature csr_product_signature{4, 1, csr_product_types<Rank>, {matrix_shape, transpose_rule}};
inline constexpr signature spsolve_signature{4, 1, spsolve_types};

}  // namespace jax2onnx::lower
