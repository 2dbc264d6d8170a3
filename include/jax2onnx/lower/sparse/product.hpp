// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/sparse/bcoo.hpp>

/// Products of sparse arrays. A product with a dense array takes time linear in the number of sparse elements: rows of
/// the dense array are gathered, multiplied and added. Source: jax.experimental.sparse.bcoo, _bcoo_dot_general_impl.
namespace jax2onnx::lower {

/// The axes of a product of a sparse array and a dense array. Batch axes of the sparse array are in the order batch,
/// free, contracted; sparse axes are counted from the first sparse axis.
struct sparse_product_axes {
  ints batch, free_batch, contracted_batch, free_sparse, contracted_sparse;
  ints rhs_batch, rhs_contracted_batch, rhs_contracted_sparse, rhs_free;

  sparse_product_axes(const sparse_form& f, std::int64_t rhs_rank, const dot_axes& d)
      : batch(d.lhs_batch), rhs_batch(d.rhs_batch) {
    for (std::size_t i = 0; i < d.lhs_contract.size(); ++i) {
      const bool is_batch = d.lhs_contract[i] < f.n_batch;
      (is_batch ? contracted_batch : contracted_sparse).push_back(d.lhs_contract[i] - (is_batch ? 0 : f.n_batch));
      (is_batch ? rhs_contracted_batch : rhs_contracted_sparse).push_back(d.rhs_contract[i]);
    }
    free_batch = complement(f.n_batch, batch, contracted_batch);
    free_sparse = complement(f.n_sparse, contracted_sparse);
    rhs_free = complement(rhs_rank, rhs_batch, d.rhs_contract);
  }
  ints all_batch() const { return joined_axes(batch, free_batch, contracted_batch); }
};

/// One product of a sparse array `lhs` and a dense array. `reads` is the mode for indices out of bounds of the dense
/// array.
class sparse_product {
 public:
  sparse_product(graph& g, sparse_pattern lhs, const typed_operand& data, const typed_operand& rhs, const dot_axes& d,
                 bounds_mode reads)
      : g_(g), lhs_(std::move(lhs)), data_(data), rhs_(rhs), axes_(lhs_.form, rhs.parts.re().rank(), d), reads_(reads) {
    const ints order = axes_.all_batch();
    batch_ = extents_at(lhs_.form.dims, order);
    for (value& c : lhs_.indices) c = transpose(c, joined_axes(order, ints{lhs_.form.n_batch}));
    ints with_dense = order;
    for (std::int64_t axis = lhs_.form.n_batch; axis < data.parts.re().rank(); ++axis) with_dense.push_back(axis);
    data_.parts = each_part(data.parts, [&](const value& v) { return transpose(v, with_dense); });
  }

  /// The product with elements of type `type` and extents `out`: batch, free batch, free sparse and dense axes of the
  /// sparse array, then free axes of the dense array.
  jax_value result(const element& type, const shape& out) const {
    if (is_empty(out)) return from_parts(type.parts, [&](std::size_t) { return filled(g_, type.part, out, 0); });
    const jax_value products = products_of(type);
    return each_part(products, [&](const value& v) {
      return axes_.free_sparse.empty() ? broadcast_to(summed(v), out) : reshape(placed(v), out);
    });
  }

 private:
  std::int64_t n_batch() const { return lhs_.form.n_batch; }
  std::int64_t dense_rank() const { return std::ssize(lhs_.form.dense()); }
  std::int64_t free_rank() const { return std::ssize(axes_.rhs_free); }

  /// The products of elements and rows of rhs: [batch..., nse, dense..., free of rhs...].
  jax_value products_of(const element& type) const {
    typed_operand a = data_, b = rhs_;
    a.parts = each_part(data_.parts, [&](const value& v) { return with_trailing_axes(v, v.rank() + free_rank()); });
    b.parts = each_part(rhs_.parts, [&](const value& v) {
      const value rows = axes_.contracted_sparse.empty() ? all_rows(v) : chosen_rows(v);
      ints dense;
      for (std::int64_t i = 0; i < dense_rank(); ++i) dense.push_back(n_batch() + 1 + i);
      return unsqueeze(rows, dense);
    });
    return bilinear(a, b, type, [](const value& x, const value& y) { return mul(x, y); });
  }

  /// All rows of rhs: [batch..., 1..., contracted batch..., 1, free...]. If no sparse axis is contracted, every element
  /// is multiplied by all rows.
  value all_rows(const value& rhs) const {
    const value v = transpose(rhs, joined_axes(axes_.rhs_batch, axes_.rhs_contracted_batch, axes_.rhs_free));
    ints added;
    for (std::int64_t i = 0; i < std::ssize(axes_.free_batch); ++i) added.push_back(std::ssize(axes_.batch) + i);
    added.push_back(n_batch());
    return unsqueeze(v, added);
  }

  /// The rows of rhs at the contracted indices of every element: [batch..., nse, free...].
  value chosen_rows(const value& rhs) const {
    const ints order =
        joined_axes(axes_.rhs_batch, axes_.rhs_contracted_batch, axes_.rhs_contracted_sparse, axes_.rhs_free);
    value v = transpose(rhs, order);
    std::vector<value> indices;
    for (std::int64_t axis : axes_.contracted_sparse) indices.push_back(lhs_.indices[static_cast<std::size_t>(axis)]);
    const shape extents = extents_at(lhs_.form.sparse(), axes_.contracted_sparse), indexed = indices[0].dims();
    const std::int64_t batch = std::ssize(axes_.batch), free = std::ssize(axes_.free_batch);
    shape groups = batch_.head(batch), lead = groups;
    for (std::int64_t i = 0; i < free; ++i) groups.push_back(1);
    lead.append(indexed.tail(batch).head(free));
    // If all batches share one list of indices, JAX reads the first batch of rhs.
    for (std::int64_t i = batch + free; i < n_batch(); ++i) {
      const dim extent = indexed[static_cast<std::size_t>(i)];
      v = slice(v, i - free, 0, extent);
      groups.push_back(extent);
      lead.push_back(extent);
    }
    lead.push_back(lhs_.form.nse);
    row_numbers from = row_major(g_, indices, extents, reads_);
    from.at = in_groups(from.at, each_element(groups), g_.dims().product(extents));
    return rows_at(merge_dims(v, 0, v.rank() - free_rank()), from, lead);
  }

  /// The sum over contracted batch axes and elements.
  value summed(const value& products) const {
    ints over;
    for (std::int64_t axis = n_batch() - std::ssize(axes_.contracted_batch); axis <= n_batch(); ++axis)
      over.push_back(axis);
    return reduce_or_identity(reducer::sum, products, over);
  }

  /// The sums of elements with the same free indices: [rows, dense..., free of rhs...].
  value placed(const value& products) const {
    std::vector<value> indices;
    for (std::int64_t axis : axes_.free_sparse) indices.push_back(lhs_.indices[static_cast<std::size_t>(axis)]);
    const shape extents = extents_at(lhs_.form.sparse(), axes_.free_sparse);
    const std::int64_t kept = n_batch() - std::ssize(axes_.contracted_batch);
    const dim rows = g_.dims().product(extents), groups = g_.dims().product(batch_.head(kept));
    shape lead = batch_.head(kept), spread;
    for (std::int64_t i = kept; i < n_batch(); ++i) lead.push_back(1);
    row_numbers to = row_major(g_, indices, extents);
    to.at = in_groups(to.at, each_element(lead), rows);
    spread = batch_.head(kept);
    spread.append(products.dims().tail(kept));
    return summed_rows(broadcast_to(products, spread), n_batch() + 1, to, g_.dims().mul(groups, rows));
  }

  graph& g_;
  sparse_pattern lhs_;
  typed_operand data_, rhs_;
  sparse_product_axes axes_;
  bounds_mode reads_;
  shape batch_;  ///< the batch extents in the order of the axes
};

inline jax_values sparse_times_dense(const site& s, sparse_pattern lhs, const dot_axes& d, bounds_mode reads) {
  const std::size_t last = s.arity() - 1;
  const sparse_product product(s.g, std::move(lhs), {s.in_parts(0), s.in_type(0).elem},
                               {s.in_parts(last), s.in_type(last).elem}, d, reads);
  return {product.result(s.out_type().elem, s.out_dims())};
}

inline jax_values bcoo_dot_general(const site& s) {
  return sparse_times_dense(s, bcoo_pattern(s, 1, info_shape(s, "lhs_spinfo")),
                            dot_axes(s.param<dot_numbers>("dimension_numbers")), bounds_mode::drop);
}

/// The elements of the product of two matrices or vectors at pairs of a row index and a column index. Of these two
/// axes, the first n_batch are batch axes. Rows are gathered; an index out of bounds selects a row of zeros.
inline jax_value product_of_pairs(const site& s, const sparse_pattern& p) {
  const auto d = s.param<dot_numbers>("dimension_numbers");
  const bool contracts = !d[0][0].empty();
  const std::int64_t n_batch = p.form.n_batch;
  typed_operand sides[2];
  for (std::size_t side : {0u, 1u}) {
    sides[side] = {s.in_parts(side), s.in_type(side).elem};
    const bool is_batch = static_cast<std::int64_t>(side) < n_batch;
    sides[side].parts = each_part(sides[side].parts, [&](const value& v) {
      const value rows = contracts && d[0][side][0] == 0 ? transpose(v, {1, 0}) : v;
      if (is_batch) return rows;
      const value& index = p.indices[side - static_cast<std::size_t>(n_batch)];
      shape lead = index.dims();
      if (n_batch == 1) lead[0] = p.form.dims[0];
      return rows_at(rows, row_major(s.g, {index}, {p.form.dims[side]}), lead);
    });
  }
  dot_numbers pairs{{{}, {}}, {{}, {}}};
  if (n_batch < 2) pairs[1] = {{0}, {0}};
  if (contracts) pairs[0] = {{1}, {n_batch == 1 ? 2 : 1}};
  const jax_value y = bilinear(sides[0], sides[1], s.out_type().elem,
                               [&](const value& a, const value& b) { return dot(a, b, dot_axes(pairs)); });
  if (n_batch < 2) return y;
  return each_part(y, [&](const value& v) { return broadcast_to(unsqueeze(v, {2}), s.out_dims()); });
}

inline jax_values bcoo_dot_general_sampled(const site& s) {
  const auto d = s.param<dot_numbers>("dimension_numbers");
  const sparse_pattern p = bcoo_pattern(s, 2, dot_shape(d, s.in_type(0).dims, s.in_type(1).dims));
  const std::int64_t rank = s.in_type(0).rank();
  const bool is_of_matrices = d[1][0].empty() && rank == s.in_type(1).rank() && p.form.n_batch + p.form.n_sparse == 2 &&
                              rank == 1 + std::ssize(d[0][0]) && rank <= 2;
  if (is_empty(s.out_dims()))
    return {
        from_parts(s.out_type().elem.parts, [&](std::size_t) { return filled(s.g, s.out_dtype(), s.out_dims(), 0); })};
  if (is_of_matrices) return {product_of_pairs(s, p)};
  const jax_values dense_product = bilinear(s, [&](const value& a, const value& b) { return dot(a, b, dot_axes(d)); });
  return {extracted(s.g, p, dense_product[0])};
}

/// The data and the indices of one side of a product of two sparse arrays. Data and indices also have the axes of the
/// other side: their shape is [batch..., free batch of lhs..., free batch of rhs..., nse of lhs, nse of rhs].
struct paired_side {
  jax_value data;
  std::vector<value> indices;
};
inline paired_side paired(const site& s, const sparse_pair& p, std::size_t side) {
  const sparse_form& f = side == 0 ? p.lhs : p.rhs;
  const ints& batch = p.d[1][side];
  const ints free = complement(f.n_batch, batch);
  const std::int64_t n = std::ssize(batch), mine = std::ssize(free), all = std::ssize(p.batch);
  ints added;  // the free batch axes and the element axis of the other side
  const std::int64_t first = side == 0 ? n + mine : n;
  for (std::int64_t axis = first; axis < first + all - n - mine; ++axis) added.push_back(axis);
  added.push_back(side == 0 ? all + 1 : all);
  const auto placed = [&](const value& v) {
    return unsqueeze(transpose(v, joined_axes(batch, free, ints{f.n_batch})), added);
  };
  paired_side out{each_part(s.in_parts(2 * side), placed), index_columns(s.in(2 * side + 1))};
  for (value& c : out.indices) c = placed(c);
  return out;
}

/// Multiplies all pairs of elements whose contracted indices are equal and in bounds, and adds products with the same
/// free indices. The products of all other pairs are 0.
inline jax_values bcoo_spdot_general(const site& s) {
  graph& g = s.g;
  const sparse_pair p(s);
  s.ignore("preferred_element_type", "the type rule determines the type of the result");
  const element type = s.out_type().elem;
  const paired_side lhs = paired(s, p, 0), rhs = paired(s, p, 1);
  jax_value products = bilinear({lhs.data, s.in_type(0).elem}, {rhs.data, s.in_type(2).elem}, type,
                                [](const value& x, const value& y) { return mul(x, y); });
  shape pairs = p.batch, merged = p.batch;
  pairs.push_back(p.lhs.nse);
  pairs.push_back(p.rhs.nse);
  merged.push_back(g.dims().mul(p.lhs.nse, p.rhs.nse));
  value matches;
  const auto require = [&](const value& holds) { matches = matches ? logical_and(matches, holds) : holds; };
  for (std::size_t i = 0; i < p.d[0][0].size(); ++i) {
    const auto l = static_cast<std::size_t>(p.d[0][0][i] - p.lhs.n_batch);
    const auto r = static_cast<std::size_t>(p.d[0][1][i] - p.rhs.n_batch);
    const value a = cast(lhs.indices[l], dtype::i64), b = cast(rhs.indices[r], dtype::i64);
    require(equal(a, b));
    require(less(a, dim_scalar(g, p.lhs.sparse()[l])));
  }
  if (matches) products = cx::where(matches, products, cx::zeros_like(products));
  products = each_part(products, [&](const value& v) { return reshape(broadcast_to(v, pairs), merged); });
  sparse_pattern free{{p.batch, std::ssize(p.batch), std::ssize(p.out_sparse), merged.back()}, {}};
  free.form.dims.append(p.out_sparse);
  const dtype t = s.out_dtype(1);
  for (std::size_t side : {0u, 1u})
    for (std::int64_t axis : p.free_sparse(side)) {
      const paired_side& from = side == 0 ? lhs : rhs;
      const value& c = from.indices[static_cast<std::size_t>(axis - (side == 0 ? p.lhs : p.rhs).n_batch)];
      free.indices.push_back(reshape(broadcast_to(cast(c, t), pairs), merged));
    }
  return with_summed_duplicates(s, std::move(free), products, p.nse, t, merged);
}

inline constexpr lowering product_rows[] = {
    {"bcoo_dot_general", bcoo_dot_general, "Gather, Where, Mul, ScatterND, ReduceSum", bcoo_dot_general_signature,
     parts_rule::own, ignores{"preferred_element_type"}},
    {"bcoo_dot_general_sampled", bcoo_dot_general_sampled, "Gather, Where, MatMul, Mul", bcoo_sampled_signature,
     parts_rule::own},
    {"bcoo_spdot_general", bcoo_spdot_general, "Equal, Mul, Where, TopK, ScatterND", bcoo_spdot_signature,
     parts_rule::own, ignores{"preferred_element_type"}},
};

}  // namespace jax2onnx::lower
