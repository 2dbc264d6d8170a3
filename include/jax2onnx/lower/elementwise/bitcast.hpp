#pragma once

#include <vector>

#include <jax2onnx/ops/float_bits.hpp>
#include <jax2onnx/ops/reduction.hpp>
#include <jax2onnx/ops/reshape.hpp>
#include <jax2onnx/lower/elementwise/map.hpp>

/// bitcast_convert_type: the bits of one element type read as another one.
namespace jax2onnx::lower {

/// 0, width, 2 width, …: where the parts of an element begin, from the lowest bit on.
inline value part_offsets(graph& g, dtype t, int width, int count) {
  ints offsets;
  for (int i = 0; i < count; ++i) offsets.push_back(i * width);
  return array(g, t, {count}, std::span<const std::int64_t>(offsets));
}

/// Unsigned integers as several narrower ones, on a new last axis.
inline value split_bits(const value& x, dtype narrow) {
  const int count = bits(x.dtype()) / bits(narrow);
  const value offsets = part_offsets(x.owner(), x.dtype(), bits(narrow), count);
  return cast(shift_right_by(unsqueeze(x, {x.rank()}), offsets), narrow);
}

/// The narrow unsigned integers of the last axis as one wide one.
inline value join_bits(const value& x, dtype wide) {
  const int width = bits(x.dtype()), count = bits(wide) / width;
  ints powers;
  for (int i = 0; i < count; ++i) powers.push_back(static_cast<std::int64_t>(std::uint64_t{1} << (i * width)));
  return matmul(cast(x, wide), array(x.owner(), wide, {count}, std::span<const std::int64_t>(powers)));
}

inline results bitcast_convert_type(const site& s) {
  s.find("new_dtype");
  const value x = s.in(0);
  const dtype from = x.dtype(), to = s.out_dtype();
  if (s.in_type(0).elem == s.out_type().elem) return {x};
  if (s.is_complex()) s.unsupported("complex numbers have no bits of their own");
  if (is_boolean(from) || is_boolean(to)) return {cast(x, to)};
  const value pattern = to_bits(x);
  if (bits(from) > bits(to)) return {from_bits(split_bits(pattern, unsigned_of(to)), to)};
  if (bits(from) < bits(to)) return {from_bits(join_bits(pattern, unsigned_of(to)), to)};
  return {from_bits(pattern, to)};
}

inline constexpr lowering bitcast_rows[] = {
    {"bitcast_convert_type", bitcast_convert_type, "Cast, BitShift; floats: BitCast, or arithmetic before opset 26",
     parts_rule::each},
};

}  // namespace jax2onnx::lower
