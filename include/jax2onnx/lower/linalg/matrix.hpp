// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/control/repeat.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Helpers for algorithms of linear algebra: rows, columns and masks of batches of matrices [..., m, n], real or
/// complex. Algorithms loop over rows or columns and select by masks instead of slices, so that the shapes of
/// loop-carried values do not change.
namespace jax2onnx::lower::linalg {

using matrices = carried_values;

/// 0 … n - 1. The end is the same scalar as the trip count of `repeat`, so that both share one node.
inline value counted(graph& g, dim n) {
  return g.emit("Range", {scalar(g, dtype::i64, 0), as_scalar(g, n), scalar(g, dtype::i64, 1)}, {dtype::i64, {n}});
}
/// 0 … n - 1 as a column [n, 1] or a row [1, n].
inline value row_numbers(graph& g, dim n) { return unsqueeze(counted(g, n), {1}); }
inline value column_numbers(graph& g, dim n) { return unsqueeze(counted(g, n), {0}); }

inline graph& owner(const jax_value& a) { return a.re().owner(); }
inline std::int64_t rank(const jax_value& a) { return a.re().rank(); }
inline dim row_count(const jax_value& a) { return a.re().dims()[a.re().dims().size() - 2]; }
inline dim column_count(const jax_value& a) { return a.re().dims().back(); }
/// The smaller extent of the matrices.
inline dim shorter_side(const jax_value& a) { return owner(a).dims().min(row_count(a), column_count(a)); }
inline bool is_empty(const jax_value& a) { return is_empty(a.re().dims()); }
/// The shape of m by n matrices with the batch dimensions of `a`.
inline shape matrix_dims(const jax_value& a, dim m, dim n) {
  shape dims = a.re().dims();
  dims[dims.size() - 2] = m;
  dims.back() = n;
  return dims;
}

/// Row k as [..., 1, n] and column k as [..., m, 1]; k is an int64[1].
inline jax_value row(const jax_value& a, const value& k) {
  return each_part(a, [&](const value& v) { return gather(v, k, v.rank() - 2); });
}
inline jax_value column(const jax_value& a, const value& k) {
  return each_part(a, [&](const value& v) { return gather(v, k, v.rank() - 1); });
}
/// Rows or columns [begin, end).
inline jax_value row_range(const jax_value& a, dim begin, dim end) {
  return each_part(a, [&](const value& v) { return slice(v, v.rank() - 2, begin, end); });
}
inline jax_value column_range(const jax_value& a, dim begin, dim end) {
  return each_part(a, [&](const value& v) { return slice(v, v.rank() - 1, begin, end); });
}
/// The rows of a above the rows of b.
inline jax_value stacked(const jax_value& a, const jax_value& b) {
  return cx::zip_parts(a, b, [](const value& x, const value& y) { return concat({x, y}, x.rank() - 2); });
}
/// The columns of a before the columns of b.
inline jax_value side_by_side(const jax_value& a, const jax_value& b) {
  return cx::zip_parts(a, b, [](const value& x, const value& y) { return concat({x, y}, x.rank() - 1); });
}

/// Vectors [..., n] as columns [..., n, 1], and back.
inline jax_value as_columns(const jax_value& a) {
  return each_part(a, [](const value& v) { return unsqueeze(v, {v.rank()}); });
}
inline jax_value as_vectors(const jax_value& a) {
  return each_part(a, [](const value& v) { return squeeze(v, {v.rank() - 1}); });
}

inline jax_value transposed(const jax_value& a) {
  return each_part(a, [](const value& v) {
    ints perm = iota_axes(v.rank());
    std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
    return transpose(v, perm);
  });
}
/// The conjugate transpose.
inline jax_value adjoint(const jax_value& a) { return cx::conj(transposed(a)); }

/// Matrices [..., m, n] with the last two axes first: axis `first`, then axis `second`, both counted from the end.
inline jax_value matrix_axes_first(const jax_value& a, std::int64_t first, std::int64_t second) {
  return each_part(a, [&](const value& v) {
    ints perm = iota_axes(v.rank() - 2);
    perm.insert(perm.begin(), {v.rank() + first, v.rank() + second});
    return transpose(v, perm);
  });
}
/// Moves the first two axes to the end. Axis `first`, then axis `second` of the operand become the last two axes.
inline jax_value matrix_axes_last(const jax_value& a, std::int64_t first, std::int64_t second) {
  return each_part(a, [&](const value& v) {
    ints perm = iota_axes(v.rank());
    perm.drop(0);
    perm.drop(0);
    perm.push_back(first);
    perm.push_back(second);
    return transpose(v, perm);
  });
}
/// Matrices [..., m, n] as [n, m, ...] or as [m, n, ...], and the inverses. Runtimes broadcast rows and columns faster
/// if the axes of the batch, which all operands share, come last.
/// @{
inline jax_value columns_first(const jax_value& a) { return matrix_axes_first(a, -1, -2); }
inline jax_value rows_first(const jax_value& a) { return matrix_axes_first(a, -2, -1); }
inline jax_value columns_last(const jax_value& a) { return matrix_axes_last(a, 1, 0); }
inline jax_value rows_last(const jax_value& a) { return matrix_axes_last(a, 0, 1); }
/// @}
/// Element k along the first axis, without this axis; k is an int64 scalar.
inline jax_value item_at(const jax_value& a, const value& k) {
  return each_part(a, [&](const value& v) { return gather(v, k, 0); });
}
/// Element k along the first axis, which stays with extent 1; k is an int64 scalar.
inline jax_value item_kept(const jax_value& a, const value& k) { return item_at(a, unsqueeze(k, {0})); }
inline jax_value unsqueezed(const jax_value& a, std::int64_t axis) {
  return each_part(a, [&](const value& v) { return unsqueeze(v, {axis}); });
}

inline value zero_of(const jax_value& a) { return scalar(owner(a), cx::part_dtype(a), 0); }
inline value one_of(const jax_value& a) { return scalar(owner(a), cx::part_dtype(a), 1); }
/// `a` where the mask holds, else zero.
inline jax_value keep(const value& mask, const jax_value& a) { return cx::where(mask, a, jax_value(zero_of(a))); }

/// a + x for real x.
inline jax_value plus_real(const jax_value& a, const value& x) {
  const value re = add(a.re(), x);
  return cx::is_real(a) ? jax_value(re) : jax_value(re, a.im());
}

/// The upper or lower triangle of a matrix, up to and including diagonal `k`; 0 is the main diagonal.
inline jax_value triangle(const jax_value& a, bool upper, std::int64_t k = 0) {
  return each_part(a, [&](const value& v) {
    graph& g = v.owner();
    const value diagonal = k ? scalar(g, dtype::i64, k) : value();
    const std::vector<value> in = k ? std::vector{v, diagonal} : std::vector{v};
    return g.emit("Trilu", std::span<const value>(in), v.type(), {{"upper", std::int64_t{upper}}});
  });
}

/// The real identity [m, n].
inline value identity(graph& g, dtype t, dim m, dim n) {
  return cast(equal(row_numbers(g, m), column_numbers(g, n)), t);
}
/// Identity matrices with the batch dimensions of `a`, real or complex like `a`.
inline jax_value identity_like(const jax_value& a, dim m, dim n) {
  graph& g = owner(a);
  const shape dims = matrix_dims(a, m, n);
  const value one = broadcast_to(identity(g, cx::part_dtype(a), m, n), dims);
  return cx::is_real(a) ? jax_value(one) : jax_value(one, filled(g, cx::part_dtype(a), dims, 0));
}

/// The sum over the rows (axis -2) or the columns (axis -1); the axis is kept with extent 1.
inline value sum(const value& v, std::int64_t axis) { return reduce("ReduceSum", v, {v.rank() + axis}, true); }
inline jax_value sum(const jax_value& a, std::int64_t axis) {
  return each_part(a, [&](const value& v) { return sum(v, axis); });
}

/// |re| + |im|: the size by which LAPACK compares complex numbers.
inline value pivot_size(const jax_value& z) {
  const value re = abs(z.re());
  return cx::is_real(z) ? re : add(re, abs(z.im()));
}
/// The row index of the largest element of each column [..., m, 1], as [..., 1, 1]; the first one of equal elements.
inline value largest_row(const value& sizes) {
  shape dims = sizes.dims();
  dims[dims.size() - 2] = 1;
  return sizes.owner().emit("ArgMax", {sizes}, {dtype::i64, dims}, {{"axis", std::int64_t{-2}}});
}

/// Casts parts of fewer than 32 bits to float; other parts are unchanged.
inline jax_value widened(const jax_value& a) {
  return each_part(a, [](const value& v) { return bits(v.dtype()) < 32 ? cast(v, dtype::f32) : v; });
}
inline jax_value cast_parts(const jax_value& a, dtype t) {
  return each_part(a, [&](const value& v) { return cast(v, t); });
}
/// a + x for every part; x is zero or NaN.
inline jax_value poisoned(const jax_value& a, const value& x) {
  return each_part(a, [&](const value& v) { return add(v, x); });
}

/// The number of rows of one matrix that loops compute as a block, so that the remaining rows need one product for each
/// block.
inline constexpr std::int64_t rows_at_once = 8;
/// c - a^T b for matrices.
inline value minus_product(const value& c, const value& a, const value& b) {
  return c.owner().emit("Gemm", {a, b, c}, c.type(), {{"alpha", -1.0f}, {"transA", std::int64_t{1}}});
}
/// The elements x[k, k, ...] of [n, n, ...] for a constant n.
inline value diagonal_of(const value& x) {
  const std::int64_t n = x.extent(0).extent();
  if (n == 1) return squeeze(x, {0});
  ints at;
  for (std::int64_t k = 0; k < n; ++k) at.insert(at.end(), {k, k});
  return gather_nd(x, array(x.owner(), dtype::i64, {n, 2}, std::span<const std::int64_t>(at)));
}
/// The parts of `height` items along the first axis, whose extent is a constant multiple of `height`.
inline std::vector<value> split_rows(const value& a, std::int64_t height) {
  const std::int64_t count = a.extent(0).extent() / height;
  if (count == 1) return {a};
  shape dims = a.dims();
  dims[0] = height;
  const value heights = int64s(a.owner(), ints(static_cast<std::size_t>(count), height));
  const std::vector<tensor_type> types(static_cast<std::size_t>(count), {a.dtype(), dims});
  return a.owner().emit_many("Split", std::vector<value>{a, heights}, types, {{"axis", std::int64_t{0}}});
}

}  // namespace jax2onnx::lower::linalg
