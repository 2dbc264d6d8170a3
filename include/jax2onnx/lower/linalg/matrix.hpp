#pragma once

#include <jax2onnx/lower/complex/math.hpp>
#include <jax2onnx/lower/control/repeat.hpp>
#include <jax2onnx/lower/table.hpp>

/// What the algorithms of linear algebra are made of: loops over columns and masks on batches of matrices [..., m, n],
/// real or complex. Masks instead of slices keep every shape in a loop the same.
namespace jax2onnx::linalg {

using matrices = carried_values;

/// 0 … n - 1 as a column [n, 1] or a row [1, n].
inline value counted(graph& g, dim n) {
  return g.emit("Range", {scalar(g, dtype::i64, 0), as_scalar(g, n), scalar(g, dtype::i64, 1)}, {dtype::i64, {n}});
}
inline value row_numbers(graph& g, dim n) { return unsqueeze(counted(g, n), {1}); }
inline value column_numbers(graph& g, dim n) { return unsqueeze(counted(g, n), {0}); }

inline std::int64_t rank(const jax_value& a) { return a.re().rank(); }
inline dim row_count(const jax_value& a) { return a.re().dims()[a.re().dims().size() - 2]; }
inline dim column_count(const jax_value& a) { return a.re().dims().back(); }
inline graph& owner(const jax_value& a) { return a.re().owner(); }
inline bool is_empty(const jax_value& a) {
  return std::ranges::any_of(a.re().dims(), [](dim d) { return d.is(0); });
}
/// The smaller extent of the matrices.
inline dim shorter_side(const jax_value& a) { return owner(a).dims().min(row_count(a), column_count(a)); }

/// Row k as [..., 1, n], column k as [..., m, 1], the element of a row at k as [..., 1, 1].
inline jax_value row(const jax_value& a, const value& k) {
  return cx::map(a, [&](const value& v) { return gather(v, k, v.rank() - 2); });
}
inline jax_value column(const jax_value& a, const value& k) {
  return cx::map(a, [&](const value& v) { return gather(v, k, v.rank() - 1); });
}
inline jax_value transposed(const jax_value& a) {
  return cx::map(a, [](const value& v) {
    ints perm = iota_axes(v.rank());
    std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
    return transpose(v, perm);
  });
}
inline jax_value adjoint(const jax_value& a) { return cx::conj(transposed(a)); }

inline value zero_of(const jax_value& a) { return scalar(owner(a), cx::part_dtype(a), 0); }
inline value one_of(const jax_value& a) { return scalar(owner(a), cx::part_dtype(a), 1); }
/// `a` where the mask holds, else zero.
inline jax_value keep(const value& mask, const jax_value& a) { return cx::where(mask, a, jax_value(zero_of(a))); }
inline jax_value zeros_like(const jax_value& a) {
  return cx::map(a, [](const value& v) { return filled(v.owner(), v.dtype(), v.dims(), 0); });
}

/// a + x for real x.
inline jax_value plus_real(const jax_value& a, const value& x) {
  const value re = jax2onnx::add(a.re(), x);
  return cx::is_real(a) ? jax_value(re) : jax_value(re, a.im());
}

/// The triangle of a matrix, with its diagonal and `k` more.
inline jax_value triangle(const jax_value& a, bool upper, std::int64_t k = 0) {
  return cx::map(a, [&](const value& v) {
    graph& g = v.owner();
    const value diagonal = k ? scalar(g, dtype::i64, k) : value();
    const std::vector<value> in = k ? std::vector{v, diagonal} : std::vector{v};
    return g.emit("Trilu", std::span<const value>(in), v.type(), {{"upper", std::int64_t{upper}}});
  });
}

/// The identity [m, n], one part.
inline value identity(graph& g, dtype t, dim m, dim n) {
  return cast(equal(row_numbers(g, m), column_numbers(g, n)), t);
}
/// The identity in a batch like that of `a`, with as many parts.
inline jax_value identity_like(const jax_value& a, dim m, dim n) {
  graph& g = owner(a);
  shape dims = a.re().dims();
  dims[dims.size() - 2] = m;
  dims.back() = n;
  const value one = broadcast_to(identity(g, cx::part_dtype(a), m, n), dims);
  return cx::is_real(a) ? jax_value(one) : jax_value(one, filled(g, cx::part_dtype(a), dims, 0));
}

inline jax_value slice(const jax_value& a, std::int64_t axis, dim begin, dim end) {
  return cx::map(a, [&](const value& v) { return jax2onnx::slice(v, v.rank() + axis, begin, end); });
}
/// Both one above the other (axis -2) or side by side (-1).
inline jax_value joined(const jax_value& a, const jax_value& b, std::int64_t axis) {
  return cx::map(a, b, [&](const value& x, const value& y) { return concat({x, y}, x.rank() + axis); });
}

/// Sum over rows (axis -2) or columns (-1), that axis kept with extent 1.
inline value sum(const value& v, std::int64_t axis) { return reduce("ReduceSum", v, {v.rank() + axis}, true); }
inline jax_value sum(const jax_value& a, std::int64_t axis) {
  return cx::map(a, [&](const value& v) { return sum(v, axis); });
}

/// Real or complex by what the equation says; half precision is computed in float.
inline jax_value widened(const jax_value& a) {
  return cx::map(a, [](const value& v) { return bits(v.dtype()) < 32 ? cast(v, dtype::f32) : v; });
}
inline jax_value narrowed(const jax_value& a, dtype t) {
  return cx::map(a, [&](const value& v) { return cast(v, t); });
}

}  // namespace jax2onnx::linalg
