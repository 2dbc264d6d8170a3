// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/indexing/sort.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers SearchSorted and Nonzero, the primitives of jnp.searchsorted and jnp.nonzero since JAX 0.12, to Loop, TopK
/// and GatherElements. Source: jax._src.numpy.hijax.
namespace jax2onnx::lower {

/// The operands of a search: rows [batch..., rest..., n] of numbers, and queries [batch..., 1..., m] for each row.
/// Complex numbers are ordered by their real parts, then by their imaginary parts.
struct search {
  std::vector<value> sorted, query;  ///< the parts of the numbers
  std::vector<value> query_is_nan;   ///< absent for integers
  bool or_equal;                     ///< true if numbers equal to a query count as before it, as with side="right"
};

/// The parts of x, cast to types that can be compared.
inline std::vector<value> comparable_parts(const jax_value& x) {
  std::vector<value> out;
  for (const value& v : tensors_of({&x, 1}))
    out.push_back(is_boolean(v.dtype()) ? cast(v, dtype::u8) : at_least_float(v));
  return out;
}

inline search search_of(const site& s) {
  const auto batch = s.param<std::int64_t>("batch_dims"), axis = s.param<std::int64_t>("dimension");
  const shape &rows = s.in_type(0).dims, &queries = s.in_type(1).dims;
  const ints last_first = joined_axes(complement(std::ssize(rows), ints{axis}), ints{axis});
  search out{comparable_parts(s.in_parts(0)),
             comparable_parts(s.in_parts(1)),
             {},
             s.param<std::string_view>("side") == "right"};
  shape flat = queries.head(batch);
  flat.insert(flat.end(), static_cast<std::size_t>(std::ssize(rows) - 1 - batch), dim(1));
  flat.push_back(s.g.dims().product(queries.tail(batch)));
  for (value& v : out.sorted) v = transpose(v, last_first);
  for (value& v : out.query) {
    v = reshape(v, flat);
    out.query_is_nan.push_back(is_floating(v.dtype()) && !s.assume_finite() ? is_nan(v) : value());
  }
  return out;
}

/// True for numbers that are before the queries. NaN is after all other numbers.
inline value before_queries(const search& f, const std::vector<value>& numbers, const std::vector<value>& query,
                            const std::vector<value>& query_is_nan) {
  value out;
  for (std::size_t i = numbers.size(); i-- > 0;) {
    const value &v = numbers[i], &q = query[i], &nan = query_is_nan[i];
    const auto with_nan = [&](const value& found, const value& other) {
      return nan ? logical_or(found, other) : found;
    };
    const auto before = [&] { return with_nan(less(v, q), nan ? logical_and(nan, logical_not(is_nan(v))) : value()); };
    const auto not_behind = [&] { return with_nan(less_equal(v, q), nan); };
    out = !out ? (f.or_equal ? not_behind() : before()) : logical_or(before(), logical_and(not_behind(), out));
  }
  return out;
}

/// The number of elements before each query. Compares every element with every query.
inline value count_before(const search& f) {
  const std::int64_t rank = f.sorted[0].rank();
  const auto with_axis = [](std::vector<value> all, std::int64_t axis) {
    for (value& v : all) v = v ? unsqueeze(v, {axis}) : v;
    return all;
  };
  const value before =
      before_queries(f, with_axis(f.sorted, rank), with_axis(f.query, rank - 1), with_axis(f.query_is_nan, rank - 1));
  return reduce("ReduceSum", cast(before, dtype::i64), {rank - 1});
}

/// The number of bits of n, which is the number of steps that halve a range of n + 1 positions to one.
inline value halvings(graph& g, dim n) {
  if (n.is_constant()) return scalar(g, dtype::i64, std::bit_width(static_cast<std::uint64_t>(n.extent())));
  ints powers;
  for (int i = 0; i < 62; ++i) powers.push_back(std::int64_t{1} << i);
  return reduce("ReduceSum", cast(less_equal(int64s(g, powers), dim_scalar(g, n)), dtype::i64), {0});
}

/// The result of JAX's binary search, also for unsorted rows. Each step halves the range low <= position <= high.
inline value binary_search(graph& g, const search& f, dim n) {
  const std::int64_t axis = f.sorted[0].rank() - 1;
  shape found = f.sorted[0].dims();
  found.back() = f.query[0].dims().back();
  const value none = filled(g, dtype::i64, found, 0), all = broadcast_to(dim_scalar(g, n), found);
  const auto halve = [&](const value&, const std::vector<value>& range) {
    const value &low = range[0], &high = range[1];
    const value middle = add(low, div(sub(high, low), 2));
    std::vector<value> numbers;
    for (const value& v : f.sorted) numbers.push_back(gather_elements(v, middle, axis));
    const value before = before_queries(f, numbers, f.query, f.query_is_nan);
    return loop_step{{}, {where(before, middle, low), where(before, high, middle)}};
  };
  loop_options options;
  options.carried_names = {"low", "high"};
  return loop(g, halvings(g, n), {}, {none, all}, halve, options).carried[1];
}

inline jax_values search_sorted(const site& s) {
  const auto method = s.param<std::string_view>("method");
  search f = search_of(s);
  const std::int64_t last = f.sorted[0].rank() - 1;
  const dim n = f.sorted[0].dims().back();
  if (n.is(0) || is_empty(s.out_dims())) return {filled(s.g, s.out_dtype(), s.out_dims(), 0)};
  if (method == "sort") {
    const value order = ascending_order(s, f.sorted, n, last);
    for (value& v : f.sorted) v = gather_elements(v, order, last);
  }
  const value found = method == "compare_all" ? count_before(f) : binary_search(s.g, f, n);
  return {cast(reshape(found, s.out_dims()), s.out_dtype())};
}

/// True where elements are nonzero; NaN counts as nonzero.
inline value is_nonzero(const jax_value& x) {
  if (is_boolean(x.re().dtype())) return x.re();
  const value re = logical_not(equal(x.re(), 0));
  return x.count == 1 ? re : logical_or(re, logical_not(equal(x.im(), 0)));
}

/// The positions of the true elements along the last axis, in order, padded or cut to the requested size.
struct true_positions {
  value at;       ///< positions, int64 [batch..., size]; arbitrary after the last true element
  value is_fill;  ///< true after the last true element, bool [batch..., size]
};

/// The true positions of `found` [batch..., n], which is not empty. A stable sort puts true elements first.
inline true_positions first_true(const value& found, dim size) {
  graph& g = found.owner();
  const std::int64_t last = found.rank() - 1;
  shape none(static_cast<std::size_t>(found.rank()), dim(0)), more = none;
  more.back() = g.dims().max(g.dims().sub(size, found.dims().back()), 0);
  const value candidates = pad(cast(found, dtype::u8), none, more, scalar(g, dtype::u8, 0));
  const value at = top_k(candidates, size, last, true).second;
  const value count = reduce("ReduceSum", cast(found, dtype::i64), {last}, true);
  return {at, greater_equal(range(g, size), count)};
}

/// The index along every axis of the elements at row-major positions in an array of these extents.
inline std::vector<value> unraveled(value at, const shape& extents) {
  graph& g = at.owner();
  std::vector<value> out(extents.size());
  for (std::size_t i = extents.size(); i-- > 0;) {
    const value extent = dim_scalar(g, g.dims().max(extents[i], 1));
    out[i] = i == 0 ? at : g.emit("Mod", {at, extent}, at.type());
    if (i > 0) at = div(at, extent);
  }
  return out;
}

/// The positions of nonzero elements along `axes`, in row-major order.
inline jax_values nonzero(const site& s) {
  graph& g = s.g;
  ints axes = s.param<ints>("axes");
  std::ranges::sort(axes);
  const dim size = s.param<dim>("size");
  if (axes.empty()) return {};
  const dtype t = s.out_dtype();
  if (is_empty(s.in_type(0).dims) || is_empty(s.out_dims()))  // JAX ignores the fill values
    return jax_values(axes.size(), filled(g, t, s.out_dims(), 0));
  const ints batch = complement(s.in_type(0).rank(), axes);
  const shape extents = extents_at(s.in_type(0).dims, axes);
  shape flat = extents_at(s.in_type(0).dims, batch);
  flat.push_back(g.dims().product(extents));
  const value found = reshape(transpose(is_nonzero(s.in_parts(0)), joined_axes(batch, axes)), flat);
  const true_positions first = first_true(found, size);
  const std::vector<value> indices = unraveled(first.at, extents);
  jax_values out(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    const value fill = s.arity() > 1 ? unsqueeze(s.in(i + 1), {s.in(i + 1).rank()}) : scalar(g, t, 0);
    out[i] = where(first.is_fill, fill, cast(indices[i], t));
  }
  return out;
}

inline constexpr lowering search_rows[] = {
    {"Nonzero", nonzero, "TopK, Div, Mod, Where", nonzero_signature, parts_rule::own, ignores{"out_dtype"}},
    {"SearchSorted", search_sorted, "Loop, GatherElements, Less, Where; or Less, ReduceSum", search_sorted_signature,
     parts_rule::own},
};

}  // namespace jax2onnx::lower
