// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/lower/indexing/sort.hpp>
#include <jax2onnx/lower/indexing/start_indices.hpp>
#include <jax2onnx/lower/sparse/types.hpp>
#include <jax2onnx/ops/cumulative.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// The positions of elements of sparse arrays: rows of a dense array are read, or added to, at computed indices.
/// Sources: jax.experimental.sparse.bcoo, _unique_indices; jax.experimental.sparse.util, _csr_to_coo.
namespace jax2onnx::lower {

/// A sparse array without its data: for each sparse axis, the index of every element along it, [batch..., nse].
struct sparse_pattern {
  sparse_form form;
  std::vector<value> indices;
};

/// The columns of BCOO's indices [batch..., nse, n_sparse].
inline std::vector<value> index_columns(const value& indices) {
  std::vector<value> out;
  const std::int64_t last = indices.rank() - 1;
  for (std::int64_t i = 0; i < indices.dims().back().extent(); ++i) out.push_back(pick(indices, i, last));
  return out;
}
/// The inverse of index_columns(), for columns of extents `dims`.
inline value stacked_columns(graph& g, std::vector<value> columns, shape dims, dtype t) {
  const std::int64_t last = std::ssize(dims);
  if (columns.empty()) {
    dims.push_back(0);
    return filled(g, t, dims, 0);
  }
  for (value& c : columns) c = unsqueeze(c, {last});
  return concat(columns, last);
}

inline sparse_pattern bcoo_pattern(const site& s, std::size_t i, const shape& dims) {
  return {bcoo_form(s, i, dims), index_columns(s.in(i))};
}

/// Indices of rows, int64.
struct row_numbers {
  value at;     ///< clamped to the bounds
  value valid;  ///< bool: true for indices that were in bounds; absent if all indices count as valid
};

/// The row-major positions of elements in an array of extents `dims`, given an index along each axis. As in JAX,
/// negative indices count from the end. If an extent is 0, the positions are arbitrary, since there are no elements.
/// Without axes, the position is 0.
inline row_numbers row_major(graph& g, const std::vector<value>& indices, const shape& dims,
                             bounds_mode mode = bounds_mode::drop) {
  row_numbers out{scalar(g, dtype::i64, 0), {}};
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const dim last = g.dims().sub(dims[i], 1);
    const open_ends ends = open_ends_of(g, range_of(indices[i]), last);
    value index = cast(indices[i], dtype::i64);
    if (ends.low && is_signed_integer(indices[i].dtype()))
      index = where(less(index, 0), add(index, dim_scalar(g, dims[i])), index);
    const value bounded = clamp_indices(index, {last}, ends);
    if (mode == bounds_mode::drop && (ends.low || ends.high)) {
      const value fits = equal(bounded, index);
      out.valid = out.valid ? logical_and(out.valid, fits) : fits;
    }
    out.at = i == 0 ? bounded : add(mul(out.at, dim_scalar(g, dims[i])), bounded);
  }
  return out;
}

/// Row indices in groups of `rows` rows: `at` plus the first row of each group. There is one group for each element of
/// an array of extents `groups`, which broadcasts with `at`.
inline value in_groups(const value& at, const shape& groups, dim rows) {
  graph& g = at.owner();
  const dim count = g.dims().product(groups);
  if (count.is(1)) return at;
  const value first = rows.is_constant() ? range(g, count, rows.extent()) : mul(range(g, count), dim_scalar(g, rows));
  return add(at, reshape(first, groups));
}

/// `v` with extents of 1 appended until it has `rank` axes.
inline value with_trailing_axes(const value& v, std::int64_t rank) {
  ints added;
  for (std::int64_t axis = v.rank(); axis < rank; ++axis) added.push_back(axis);
  return unsqueeze(v, added);
}

/// The rows of x [rows, ...] at indices, which broadcast to the extents `lead`; zeros for indices that are not valid.
inline value rows_at(const value& x, const row_numbers& rows, const shape& lead) {
  graph& g = x.owner();
  shape out = lead;
  out.append(x.dims().tail(1));
  if (is_empty(x.dims()) || is_empty(out)) return filled(g, x.dtype(), out, 0);
  const value y = gather(x, broadcast_to(rows.at, lead), 0);
  if (!rows.valid) return y;
  return where(with_trailing_axes(rows.valid, rows.valid.rank() + x.rank() - 1), y, scalar(g, x.dtype(), 0));
}

/// The sums of updates [lead..., ...] as rows [count, ...]: row n is the sum of the updates with index n. The indices
/// broadcast to the first `lead` axes of the updates; updates with an invalid index are dropped.
inline value summed_rows(const value& updates, std::int64_t lead, const row_numbers& rows, dim count) {
  graph& g = updates.owner();
  shape sums{count};
  sums.append(updates.dims().tail(lead));
  if (is_empty(updates.dims()) || is_empty(sums)) return filled(g, updates.dtype(), sums, 0);
  value at = rows.at;
  if (rows.valid) {  // one more row receives the dropped updates
    at = where(rows.valid, at, dim_scalar(g, count));
    sums[0] = g.dims().add(count, 1);
  }
  at = unsqueeze(broadcast_to(at, updates.dims().head(lead)), {lead});
  const value y = scatter_nd(filled(g, updates.dtype(), sums, 0), at, updates, "add");
  return rows.valid ? slice(y, 0, 0, count) : y;
}

/// The extents of a batch, with an extent of 1 appended for the elements.
inline shape each_element(shape batch) {
  batch.push_back(1);
  return batch;
}

/// The row of every element of an array in compressed rows, from the first element of each row: [batch..., nse].
/// Elements after the last row get the number of rows.
inline value rows_of_elements(const value& firsts, dim nse) {
  graph& g = firsts.owner();
  const shape batch = firsts.dims().head(firsts.rank() - 1);
  shape dims = batch;
  dims.push_back(nse);
  if (is_empty(dims)) return filled(g, dtype::i64, dims, 0);
  row_numbers at = row_major(g, {firsts}, {nse});
  at.at = in_groups(at.at, each_element(batch), nse);
  const value ones = filled(g, dtype::i64, firsts.dims(), 1);
  const value starts = reshape(summed_rows(ones, firsts.rank(), at, g.dims().product(dims)), dims);
  return sub(cumsum(starts, std::ssize(batch)), 1);
}

/// The pattern of compressed rows: operand i has the columns, operand i + 1 the first elements of rows.
inline sparse_pattern bcsr_pattern(const site& s, std::size_t i, const shape& dims) {
  const sparse_form f = bcsr_form(s, i, dims);
  return {f, {rows_of_elements(s.in(i + 1), f.nse), s.in(i)}};
}

/// The order that sorts the elements of a pattern by their indices, int64 [batch..., nse]. There must be sparse axes
/// and elements.
inline value index_order(const site& s, const sparse_pattern& p) {
  return ascending_order(s, p.indices, p.form.nse, p.form.n_batch);
}

/// The elements of a pattern in the order of their indices.
struct sorted_pattern {
  value order;                 ///< int64 [batch..., nse]: positions in the pattern; absent without sparse axes
  std::vector<value> indices;  ///< the indices along each sparse axis, in this order
  value is_new;                ///< bool [batch..., nse]: true for the first element, and where the indices change
};

/// Sorts a pattern, which must have elements.
inline sorted_pattern sorted(const site& s, const sparse_pattern& p) {
  const std::int64_t axis = p.form.n_batch;
  sorted_pattern out{{}, p.indices, equal(range(s.g, p.form.nse), 0)};
  if (p.indices.empty()) return out;
  out.order = index_order(s, p);
  for (value& c : out.indices) {
    c = gather_elements(c, out.order, axis);
    const value before = concat({slice(c, axis, 0, 1), slice(c, axis, 0, s.g.dims().sub(p.form.nse, 1))}, axis);
    out.is_new = logical_or(out.is_new, logical_not(equal(c, before)));
  }
  return out;
}

/// Restores the order of the pattern: `by_order` [batch..., nse] is in sorted order.
inline value unsorted(const sorted_pattern& p, const value& by_order) {
  if (!p.order) return by_order;
  const value zeros = filled(by_order.owner(), by_order.dtype(), p.order.dims(), 0);
  return scatter_elements(zeros, p.order, by_order, p.order.rank() - 1);
}

/// Replaces all indices of an element by the extents if one of these indices is not below the extent of its axis.
inline sparse_pattern with_one_padding(graph& g, sparse_pattern p) {
  value beyond;
  const shape extents = p.form.sparse();
  const auto extent = [&](std::size_t i) { return dim_scalar(g, extents[i], p.indices[i].dtype()); };
  for (std::size_t i = 0; i < p.indices.size(); ++i) {
    const value here = greater_equal(p.indices[i], extent(i));
    beyond = beyond ? logical_or(beyond, here) : here;
  }
  for (std::size_t i = 0; i < p.indices.size(); ++i) p.indices[i] = where(beyond, extent(i), p.indices[i]);
  return p;
}

}  // namespace jax2onnx::lower
