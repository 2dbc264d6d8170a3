// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/linalg/lu.hpp>
#include <jax2onnx/lower/sparse/product.hpp>

/// Lowers the primitives of compressed rows (BCSR, CSR, CSC), of coordinates without batches (COO), todense for any
/// format, and spsolve. Sources: jax.experimental.sparse, bcsr.py, csr.py, coo.py, api.py, linalg.py.
namespace jax2onnx::lower {

inline sparse_pattern coo_pattern(const site& s, const shape& dims) {
  return {coo_form(s, 1, dims), {s.in(1), s.in(2)}};
}
/// The pattern of operands 1 and 2: the columns, and the first elements of rows.
inline sparse_pattern csr_pattern(const site& s) { return bcsr_pattern(s, 1, s.param<shape>("shape")); }

inline jax_values bcsr_todense(const site& s) {
  return {dense(s.g, bcsr_pattern(s, 1, info_shape(s, "spinfo")), s.in_parts(0))};
}
inline jax_values csr_todense(const site& s) { return {dense(s.g, csr_pattern(s), s.in_parts(0))}; }
inline jax_values coo_todense(const site& s) {
  return {dense(s.g, coo_pattern(s, info_shape(s, "spinfo")), s.in_parts(0))};
}
inline jax_values bcsr_extract(const site& s) {
  return {extracted(s.g, bcsr_pattern(s, 0, s.in_type(2).dims), s.in_parts(2))};
}

/// The index of the first stored element of each row, then the number of elements: the cumulative sum of the rows'
/// element counts, at most nse.
inline value first_elements(const site& s, const sparse_form& f, const value& is_nonzero) {
  shape dims = f.batch(), one = dims;
  dims.append(f.sparse());
  one.push_back(1);
  const std::int64_t axis = f.n_batch;
  const value counts = reduce("ReduceSum", cast(reshape(is_nonzero, dims), dtype::i64), {axis + 1});
  const value ends = minimum(cumsum(counts, axis), dim_scalar(s.g, f.nse));
  return cast(concat({filled(s.g, dtype::i64, one, 0), ends}, axis), index_element(s).part);
}

inline jax_values bcsr_fromdense(const site& s) {
  const sparse_form f = stored_matrix_form(s);
  const stored_elements y = stored(s, f, true);
  return {y.data, y.indices[1], first_elements(s, f, y.is_nonzero)};
}
/// Unlike bcsr_fromdense, csr_fromdense sets the columns after the last element to zero instead of to the extent.
inline jax_values csr_fromdense(const site& s) {
  const sparse_form f = stored_matrix_form(s);
  const stored_elements y = stored(s, f, false);
  return {y.data, y.indices[1], first_elements(s, f, y.is_nonzero)};
}
inline jax_values coo_fromdense(const site& s) {
  const stored_elements y = stored(s, stored_matrix_form(s), false);
  return {y.data, y.indices[0], y.indices[1]};
}

inline jax_values bcsr_dot_general(const site& s) {
  return sparse_times_dense(s, bcsr_pattern(s, 1, info_shape(s, "lhs_spinfo")),
                            dot_axes(s.param<dot_numbers>("dimension_numbers")), bounds_mode::drop);
}
/// A matrix or its transpose times a vector or a matrix. JAX reads v[column], so an index out of bounds is clamped.
inline jax_values matrix_product(const site& s, sparse_pattern p) {
  const std::int64_t contracted = s.param<bool>("transpose") ? 0 : 1;
  return sparse_times_dense(s, std::move(p), dot_axes({{{contracted}, {0}}, {{}, {}}}), bounds_mode::clip);
}
inline jax_values coo_product(const site& s) { return matrix_product(s, coo_pattern(s, info_shape(s, "spinfo"))); }
inline jax_values csr_product(const site& s) { return matrix_product(s, csr_pattern(s)); }

/// The format in PyTreeDef(CustomNode(BCSR[...], [*, *, *])); empty for a dense array.
inline std::string_view tree_format(const site& s) {
  constexpr std::string_view node = "PyTreeDef(CustomNode(";
  std::string_view text = s.tree("tree").text;
  if (text == "PyTreeDef(*)") return {};
  if (!text.starts_with(node))
    s.malformed(detail::message("its tree {} is not the tree of a dense or sparse array", text));
  text.remove_prefix(node.size());
  return text.substr(0, text.find('['));
}

/// todense for any format. The printed shape of the result is the shape of the array.
inline jax_values todense(const site& s) {
  const std::string_view format = tree_format(s);
  const std::size_t operands = format.empty() ? 1 : format == "BCOO" ? 2 : 3;
  if (s.arity() != operands) s.malformed(detail::message("it has {} operand{|s} instead of {}", s.arity(), operands));
  if (format.empty()) return {s.in_parts(0)};
  const shape& dims = s.out_dims();
  const auto as_dense = [&](const sparse_pattern& p) {
    require_data(s, 0, p.form);
    return dense(s.g, p, s.in_parts(0));
  };
  if (format == "BCOO") return {as_dense(bcoo_pattern(s, 1, dims))};
  if (format == "BCSR" || format == "CSR") return {as_dense(bcsr_pattern(s, 1, dims))};
  if (format == "COO") return {as_dense(coo_pattern(s, dims))};
  if (format != "CSC") s.unsupported(detail::message("the format {} is not one of JAX's", format));
  if (dims.size() != 2) s.malformed("its result is not a matrix");
  return {each_part(as_dense(bcsr_pattern(s, 1, {dims[1], dims[0]})), [](const value& v) {
    return transpose(v, {1, 0});
  })};
}

/// Converts to a dense matrix and solves by elimination with row exchanges.
inline jax_values spsolve(const site& s) {
  const dim n = s.in_type(3).dims[0];
  if (n.is(0)) return {s.in_parts(3)};
  const jax_value a = dense(s.g, bcsr_pattern(s, 1, {n, n}), s.in_parts(0));
  const jax_value x = linalg::solve_by_elimination(a, linalg::as_columns(s.in_parts(3)));
  return {linalg::as_vectors(x)};
}

inline constexpr lowering matrix_formats_rows[] = {
    {"bcsr_dot_general", bcsr_dot_general, "ScatterND, CumSum, Gather, Where, Mul", bcsr_dot_general_signature,
     parts_rule::own, ignores{"preferred_element_type"}},
    {"bcsr_extract", bcsr_extract, "ScatterND, CumSum, Gather, Where", bcsr_extract_signature, parts_rule::own},
    {"bcsr_fromdense", bcsr_fromdense, "TopK, Gather, Where, CumSum", bcsr_fromdense_signature, parts_rule::own},
    {"bcsr_todense", bcsr_todense, "ScatterND, CumSum", bcsr_todense_signature, parts_rule::own},
    {"coo_fromdense", coo_fromdense, "TopK, Gather, Where", coo_fromdense_signature, parts_rule::own},
    {"coo_matmat", coo_product, "Gather, Mul, ScatterND", coo_product_signature<2>, parts_rule::own},
    {"coo_matvec", coo_product, "Gather, Mul, ScatterND", coo_product_signature<1>, parts_rule::own},
    {"coo_todense", coo_todense, "ScatterND", coo_todense_signature, parts_rule::own},
    {"csr_fromdense", csr_fromdense, "TopK, Gather, Where, CumSum", csr_fromdense_signature, parts_rule::own},
    {"csr_matmat", csr_product, "ScatterND, CumSum, Gather, Mul", csr_product_signature<2>, parts_rule::own},
    {"csr_matvec", csr_product, "ScatterND, CumSum, Gather, Mul", csr_product_signature<1>, parts_rule::own},
    {"csr_todense", csr_todense, "ScatterND, CumSum", csr_todense_signature, parts_rule::own},
    {"spsolve", spsolve, "ScatterND, Loop, Div", spsolve_signature, parts_rule::own, ignores{"reorder tol"}},
    {"todense", todense, "ScatterND, CumSum", signature{or_more(1), 1, nullptr, {{"tree", param_form::other}}},
     parts_rule::own},
};

}  // namespace jax2onnx::lower
