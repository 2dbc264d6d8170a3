// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/ops/float_bits.hpp>
#include <jax2onnx/ops/reduction.hpp>
#include <jax2onnx/ops/shape.hpp>

/// Lowers bitcast_convert_type, which reinterprets bits (jax.lax.bitcast_convert_type): Cast and BitShift for integers;
/// floating-point numbers use BitCast, or arithmetic before opset 26.
namespace jax2onnx::lower {

/// The bit offsets 0, width, 2 width, … of the `count` pieces of an element, lowest bits first.
inline value bit_offsets(graph& g, dtype t, int width, int count) {
  ints offsets;
  for (std::int64_t i = 0; i < count; ++i) offsets.push_back(i * width);
  return array(g, t, {count}, std::span<const std::int64_t>(offsets));
}

/// Splits unsigned integers into narrower ones, on a new last axis.
inline value split_bits(const value& x, dtype narrow) {
  const int count = bits(x.dtype()) / bits(narrow);
  const value offsets = bit_offsets(x.owner(), x.dtype(), bits(narrow), count);
  return cast(shift_right_by(unsqueeze(x, {x.rank()}), offsets), narrow);
}

/// Joins the unsigned integers along the last axis into one wide integer; the inverse of split_bits.
inline value join_bits(const value& x, dtype wide) {
  const int width = bits(x.dtype()), count = bits(wide) / width;
  ints powers;
  for (int i = 0; i < count; ++i) powers.push_back(static_cast<std::int64_t>(std::uint64_t{1} << (i * width)));
  return matmul(cast(x, wide), array(x.owner(), wide, {count}, std::span<const std::int64_t>(powers)));
}

inline jax_values bitcast_convert_type(const site& s) {
  const value x = s.in(0);
  const dtype from = x.dtype(), to = s.out_dtype();
  if (s.in_type(0).elem == s.out_type().elem) return {x};
  if (s.is_complex()) s.unsupported("bit casts of complex numbers are not supported");
  if (is_boolean(from) || is_boolean(to)) return {cast(x, to)};
  const value pattern = to_bits(x);
  if (bits(from) > bits(to)) return {from_bits(split_bits(pattern, unsigned_of(to)), to)};
  if (bits(from) < bits(to)) return {from_bits(join_bits(pattern, unsigned_of(to)), to)};
  return {from_bits(pattern, to)};
}

inline constexpr lowering bitcast_rows[] = {
    {"bitcast_convert_type", bitcast_convert_type, "Cast, BitShift; floats: BitCast, or arithmetic before opset 26",
     signature{1, 1, bitcast_types, {{"new_dtype", param_form::element}}}, parts_rule::each, ignores{"new_dtype"}},
};

}  // namespace jax2onnx::lower
