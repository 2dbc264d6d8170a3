// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/control/cond.hpp>
#include <jax2onnx/lower/indexing/dynamic_slice.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/float_bits.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers operations on vectors in kernels for TPUs. Source: jax/_src/pallas/mosaic/primitives.py.
namespace jax2onnx::lower {
namespace pallas {

/// The elements n - shift, …, n - 1, 0, …, n - shift - 1 of x along `axis`, for the shift modulo n.
inline value rolled(const value& x, std::int64_t axis, const value& shift) {
  graph& g = x.owner();
  const dim n = x.extent(axis);
  const value size = dim_scalar(g, n, dtype::i64);
  if (n.is(0)) return x;
  if (const auto known = known_integer(shift); known && n.is_constant()) {
    const std::int64_t first = (n.extent() - *known % n.extent()) % n.extent();
    if (first == 0) return x;
    return concat({slice(x, axis, first, n), slice(x, axis, 0, first)}, axis);
  }
  const value by = g.emit("Mod", {cast(shift, dtype::i64), size}, {dtype::i64, {}});
  return slice_at(concat({x, x}, axis), {clamped_slice(axis, g.dims().mul(n, 2), n, sub(size, by))});
}

/// roll x shift: with a stride, each position along another axis is rolled by `stride` more than the previous one.
inline jax_values roll(const site& s) {
  const value x = s.in(0), shift = s.in(1);
  const auto axis = s.param<std::int64_t>("axis");
  const auto stride = s.param_or<std::int64_t>("stride", 0), other = s.param_or<std::int64_t>("stride_axis", axis);
  if (const auto last = std::max(axis, other); last >= x.rank())
    s.malformed(detail::message("the axis {} is out of range for {}", last, text(x)));
  if (stride == 0) return {rolled(x, axis, shift)};
  graph& g = s.g;
  shape along(x.dims().size(), dim(1)), across = along;
  along[static_cast<std::size_t>(axis)] = x.extent(axis);
  across[static_cast<std::size_t>(other)] = x.extent(other);
  const value moved = add(mul(reshape(range(g, x.extent(other)), across), stride), cast(shift, dtype::i64));
  const value from = sub(reshape(range(g, x.extent(axis)), along), moved);
  const value at = g.emit("Mod", {from, dim_scalar(g, x.extent(axis), dtype::i64)}, from.type());
  return {gather_elements(x, broadcast_to(at, x.dims()), axis)};
}
inline std::vector<aval> roll_types(const site& s) { return {s.in_type(0)}; }

/// bitcast x: the bits as another type of the same size.
inline jax_values bitcast(const site& s) {
  const dtype from = s.in_dtype(), to = s.out_dtype();
  if (bits(from) != bits(to))
    s.unsupported(detail::message("{} and {} have different sizes", name(from), name(to)),
                  "use lax.bitcast_convert_type");
  return {from_bits(to_bits(s.in(0)), to)};
}

}  // namespace pallas

inline constexpr lowering vector_rows[] = {
    {"bitcast", pallas::bitcast, "(as bitcast_convert_type)", signature{1, 1, nullptr, {{"ty", param_form::element}}},
     parts_rule::plain, "elements of another size", ignores{"ty"}},
    {"roll", pallas::roll, "Slice, Concat",
     signature{2,
               1,
               pallas::roll_types,
               {{"axis", param_form::axis}, {"stride", param_form::number}, {"stride_axis", param_form::axis}}}},
};

}  // namespace jax2onnx::lower
