// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/lower/indexing/search.hpp>
#include <jax2onnx/lower/shape/merge_dims.hpp>
#include <jax2onnx/lower/sparse/pattern.hpp>
#include <jax2onnx/lower/table.hpp>

/// Lowers the primitives of arrays with batched coordinates (BCOO): conversions to and from dense arrays, transposes,
/// sorting and sums of duplicates. Source: jax.experimental.sparse.bcoo.
namespace jax2onnx::lower {

// ops::dense is the verb; the lowering has the same name.
using ops::dense;

/// The dense array: every element is added at its indices in the pattern, and dropped if one of these indices is out of
/// bounds.
inline jax_value dense(graph& g, const sparse_pattern& p, const jax_value& data) {
  const shape batch = p.form.batch();
  const dim rows = g.dims().product(p.form.sparse());
  row_numbers to = row_major(g, p.indices, p.form.sparse());
  to.at = in_groups(to.at, each_element(batch), rows);
  return each_part(data, [&](const value& v) {
    const value updates = broadcast_to(v, p.form.data());
    return reshape(summed_rows(updates, p.form.n_batch + 1, to, g.dims().mul(g.dims().product(batch), rows)),
                   p.form.dims);
  });
}
inline jax_values bcoo_todense(const site& s) {
  return {dense(s.g, bcoo_pattern(s, 1, info_shape(s, "spinfo")), s.in_parts(0))};
}

/// The rows [batch..., nse, dense...] of a dense array at the indices `from` [batch..., nse], which are row-major
/// positions along the sparse axes.
inline jax_value elements_at(graph& g, const sparse_form& f, row_numbers from, const jax_value& array) {
  const dim rows = g.dims().product(f.sparse());
  from.at = in_groups(from.at, each_element(f.batch()), rows);
  shape flat{g.dims().mul(g.dims().product(f.batch()), rows)}, lead = f.batch();
  flat.append(f.dense());
  lead.push_back(f.nse);
  return each_part(array, [&](const value& v) { return rows_at(reshape(v, flat), from, lead); });
}
/// The elements of a dense array at the indices of the pattern; 0 if an index is out of bounds.
inline jax_value extracted(graph& g, const sparse_pattern& p, const jax_value& array) {
  return elements_at(g, p.form, row_major(g, p.indices, p.form.sparse()), array);
}

/// The elements at the indices. With assume_unique=False, only the first of several elements with the same indices gets
/// the value. JAX adds the value to zero, which turns a negative zero into a positive one.
inline jax_values bcoo_extract(const site& s) {
  const sparse_pattern p = bcoo_pattern(s, 0, s.in_type(1).dims);
  const jax_value y = extracted(s.g, p, s.in_parts(1));
  if (s.param<bool>("assume_unique") || is_empty(s.out_dims())) return {y};
  const sorted_pattern by_index = sorted(s, with_one_padding(s.g, p));
  const value first = equal(unsorted(by_index, cast(by_index.is_new, dtype::i64)), 1);
  return {each_part(y, [&](const value& v) {
    const value counts = with_trailing_axes(first, first.rank() + std::ssize(p.form.dense()));
    return where(logical_and(counts, logical_not(equal(v, 0))), v, scalar(s.g, v.dtype(), 0));
  })};
}

/// The stored elements of operand 0: its first nse nonzero elements, in row-major order.
struct stored_elements {
  jax_value data;              ///< zeros after the last element
  std::vector<value> indices;  ///< [batch..., nse] along each sparse axis, of the requested type
  value is_nonzero;            ///< bool [batch..., rows]
};

/// A mask [batch..., rows] of bools, true for rows with a nonzero element.
inline value nonzero_rows(const site& s, const sparse_form& f) {
  shape flat = f.batch();
  flat.push_back(s.g.dims().product(f.sparse()));
  if (is_empty(f.dims)) return broadcast_to(scalar(s.g, dtype::boolean, 0), flat);
  ints dense;
  for (std::int64_t axis = f.n_batch + f.n_sparse; axis < std::ssize(f.dims); ++axis) dense.push_back(axis);
  return reshape(reduce_truth("ReduceMax", is_nonzero(s.in_parts(0)), dense), flat);
}

/// Finds the stored elements. Indices after the last element are the extents of the sparse axes if fills_with_extents
/// is set, otherwise zeros.
inline stored_elements stored(const site& s, const sparse_form& f, bool fills_with_extents) {
  graph& g = s.g;
  const dtype t = index_element(s).part;
  const shape sparse = f.sparse();
  stored_elements out{{}, {}, nonzero_rows(s, f)};
  shape lead = f.batch();
  lead.push_back(f.nse);
  if (is_empty(lead) || is_empty(sparse)) {
    out.data = each_part(s.in_parts(0), [&](const value& v) { return filled(g, v.dtype(), f.data(), 0); });
    out.indices.assign(sparse.size(), filled(g, t, lead, 0));  // JAX refuses arrays without rows here
    return out;
  }
  const true_positions first = first_true(out.is_nonzero, f.nse);
  out.data = elements_at(g, f, {where(first.is_fill, scalar(g, dtype::i64, 0), first.at), logical_not(first.is_fill)},
                         s.in_parts(0));
  out.indices = unraveled(first.at, sparse);
  for (std::size_t i = 0; i < sparse.size(); ++i) {
    const value fill = fills_with_extents ? dim_scalar(g, sparse[i], t) : scalar(g, t, 0);
    out.indices[i] = where(first.is_fill, fill, cast(out.indices[i], t));
  }
  return out;
}

inline jax_values bcoo_fromdense(const site& s) {
  const sparse_form f = stored_form(s);
  const stored_elements y = stored(s, f, true);
  shape lead = f.batch();
  lead.push_back(f.nse);
  return {y.data, stacked_columns(s.g, y.indices, lead, index_element(s).part)};
}

inline jax_values bcoo_transpose(const site& s) {
  const sparse_form f = bcoo_form(s, 1, info_shape(s, "spinfo"));
  const sparse_permutation p = sparse_permutation_of(s, f);
  ints data = joined_axes(p.batch, ints{f.n_batch});
  for (std::int64_t axis : p.dense) data.push_back(f.n_batch + 1 + axis);
  value indices = s.in(1);
  if (p.sparse != iota_axes(f.n_sparse)) indices = gather(indices, int64s(s.g, p.sparse), indices.rank() - 1);
  return {each_part(s.in_parts(0), [&](const value& v) { return transpose(v, data); }),
          transpose(indices, joined_axes(p.batch, ints{f.n_batch, f.n_batch + 1}))};
}

inline jax_values bcoo_sort_indices(const site& s) {
  const sparse_pattern p = bcoo_pattern(s, 1, info_shape(s, "spinfo"));
  const shape data = joint_data(s, p.form, p.form.nse).dims;
  const auto spread = [&](const value& v) { return broadcast_to(v, data); };
  if (p.indices.empty()) return {s.in_parts(0), s.in(1)};
  if (p.form.nse.is(0) || is_empty(s.in(1).dims())) return {each_part(s.in_parts(0), spread), s.in(1)};
  const value order = index_order(s, p);
  const shape lead = data.head(p.form.n_batch + 1);
  const row_numbers from{in_groups(order, each_element(lead.head(p.form.n_batch)), p.form.nse), {}};
  std::vector<value> indices = p.indices;
  for (value& c : indices) c = gather_elements(c, order, p.form.n_batch);
  return {each_part(s.in_parts(0),
                    [&](const value& v) { return rows_at(merge_dims(spread(v), 0, std::ssize(lead)), from, lead); }),
          stacked_columns(s.g, indices, order.dims(), s.in_dtype(1))};
}

/// The first `nse` distinct indices of a pattern in order, and the sums of the data at each of these indices. Indices
/// out of bounds are replaced by the extents themselves, which also fill missing entries. The indices have type `t` and
/// the extents `placed`, [batch..., nse].
inline jax_values with_summed_duplicates(const site& s, sparse_pattern p, const jax_value& data, dim nse, dtype t,
                                         shape placed) {
  graph& g = s.g;
  const sparse_form f = p.form;
  const shape batch = joint_batch(data.re().dims(), placed, f.n_batch);
  shape spread = batch, out = batch;
  for (shape* dims : {&spread, &out}) {
    dims->push_back(dims == &out ? nse : f.nse);
    dims->append(f.dense());
  }
  placed.back() = nse;
  const shape extents = f.sparse();
  if (f.nse.is(0) || is_empty(placed)) {
    std::vector<value> padding;
    for (dim extent : extents) padding.push_back(broadcast_to(dim_scalar(g, extent, t), placed));
    return {each_part(data, [&](const value& v) { return filled(g, v.dtype(), out, 0); }),
            stacked_columns(g, padding, placed, t)};
  }
  const sorted_pattern q = sorted(s, with_one_padding(g, std::move(p)));
  row_numbers to{unsorted(q, sub(cumsum(cast(q.is_new, dtype::i64), q.is_new.rank() - 1), 1)), {}};
  if (!g.dims().known_nonnegative(g.dims().sub(nse, f.nse))) to.valid = less(to.at, dim_scalar(g, nse));
  to.at = in_groups(to.at, each_element(batch), nse);
  const dim rows = g.dims().mul(g.dims().product(batch), nse);
  const true_positions first = first_true(q.is_new, nse);
  const value from = where(first.is_fill, scalar(g, dtype::i64, 0), first.at);
  std::vector<value> indices = q.indices;
  for (std::size_t i = 0; i < indices.size(); ++i)
    indices[i] =
        where(first.is_fill, dim_scalar(g, extents[i], t), cast(gather_elements(indices[i], from, f.n_batch), t));
  return {each_part(data,
                    [&](const value& v) {
                      return reshape(summed_rows(broadcast_to(v, spread), f.n_batch + 1, to, rows), out);
                    }),
          stacked_columns(g, indices, placed, t)};
}

inline jax_values bcoo_sum_duplicates(const site& s) {
  const shape& indices = s.in_type(1).dims;
  return with_summed_duplicates(s, bcoo_pattern(s, 1, info_shape(s, "spinfo")), s.in_parts(0), s.param<dim>("nse"),
                                s.in_dtype(1), indices.head(std::ssize(indices) - 1));
}

inline constexpr lowering bcoo_rows[] = {
    {"bcoo_extract", bcoo_extract, "Gather, Where; TopK, ScatterElements", bcoo_extract_signature, parts_rule::own},
    {"bcoo_fromdense", bcoo_fromdense, "TopK, Gather, Where", bcoo_fromdense_signature, parts_rule::own},
    {"bcoo_sort_indices", bcoo_sort_indices, "TopK, GatherElements, Gather", bcoo_sort_indices_signature,
     parts_rule::own},
    {"bcoo_sum_duplicates", bcoo_sum_duplicates, "TopK, GatherElements, CumSum, ScatterND",
     bcoo_sum_duplicates_signature, parts_rule::own},
    {"bcoo_todense", bcoo_todense, "ScatterND", bcoo_todense_signature, parts_rule::own},
    {"bcoo_transpose", bcoo_transpose, "Transpose, Gather", bcoo_transpose_signature, parts_rule::own},
};

}  // namespace jax2onnx::lower
