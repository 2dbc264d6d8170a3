// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/constant_parts.hpp>

/// Rotary position embedding: the features (a, b) of a position become (a c - b s, b c + a s), where c and s are the
/// cosines and sines of the position's angles (docs/decisions/0035).
namespace jax2onnx::rewrite::detail {

inline dim last_extent(const value& v) { return v.rank() == 0 ? dim(1) : v.dims().back(); }

/// Returns whether v is a Concat of two equally long operands along the last axis.
inline bool joins_halves(const value& v) {
  const node* n = producer(v, "Concat");
  if (!n || n->inputs.size() != 2) return false;
  return axis_of(v) == v.rank() - 1 && last_extent(input_of(v, 0)) == last_extent(input_of(v, 1));
}

/// x if v is the first half of x along the last axis, or the second half if `second`; else absent.
inline value split_in_half(const value& v, bool second) {
  const node* n = producer(v);
  if (!n || !n->domain.empty() || n->inputs.empty() || v.rank() == 0) return {};
  const value x = input_of(v, 0);
  const dim half = last_extent(v);
  if (!half.is_constant() || x.rank() != v.rank() || last_extent(x) != dim(2 * half.extent())) return {};
  const std::int64_t last = v.rank() - 1, first = second ? half.extent() : 0;
  if (const auto part = split_of(v)) return part->axis == last && part->first == first ? x : value();
  const auto part = single_slice_of(v);
  return part && part->axis == last && part->first == first && part->step == 1 ? x : value();
}

/// The same range of elements in every row of a constant.
struct stretch {
  std::int64_t begin = 0, size = 0;
};

/// Returns whether both halves of the stretch have the same bytes in every row of the constant. Stops reading at the
/// first rows whose halves differ. Returns false if the size of the stretch is odd, or if there are no elements.
inline bool has_equal_halves(const value& v, stretch s) {
  const auto bytes_of = [&](std::int64_t count) { return static_cast<std::size_t>(count * bits(v.dtype()) / 8); };
  const std::size_t row = bytes_of(last_extent(v).extent()), begin = bytes_of(s.begin), half = bytes_of(s.size / 2);
  const std::uint64_t total = v.data().size();
  if (s.size % 2 != 0 || half == 0 || total == 0) return false;
  constexpr std::size_t at_once = 1 << 16;
  std::vector<std::byte> rows(std::max<std::size_t>(1, at_once / row) * row);
  for (std::uint64_t at = 0; at < total; at += rows.size()) {
    rows.resize(static_cast<std::size_t>(std::min<std::uint64_t>(rows.size(), total - at)));
    if (!jax2onnx::detail::read_at(v.data(), at, rows)) return false;
    for (std::size_t i = begin; i < rows.size(); i += row)
      if (std::memcmp(rows.data() + i, rows.data() + i + half, half) != 0) return false;
  }
  return true;
}

/// The first half of a constant along its last axis.
inline value first_half(const context& c, const value& v) {
  shape dims = v.dims();
  dims.back() = dim(dims.back().extent() / 2);
  return part_of(c, v, v.rank() - 1, iota_axes(dims.back().extent()), {v.dtype(), dims});
}

/// The constant table if `v` consists of whole rows that a Gather takes from a table; absent for any other value.
inline value table_of_rows(value v) {
  while (is_reshape(v) && keeps_last(v, 1)) v = input_of(v, 0);
  if (!producer(v, "Gather") || !input_of(v, 0).is_constant()) return {};
  const value table = input_of(v, 0);
  return axis_of(v) + 1 < table.rank() ? table : value();
}

/// The first half of v if its halves are equal, and v consists of rows of a constant table, or of a half of each row;
/// else absent.
inline value equal_half_of_rows(const value& v) {
  const bool second = bool(split_in_half(v, true));
  const value whole = split_in_half(v, second), rows = whole ? whole : v, table = table_of_rows(rows);
  if (!table) return {};
  const std::int64_t size = last_extent(v).extent(), begin = second ? size : 0;
  if (!has_equal_halves(table, {begin, size})) return {};
  return slice(rows, rows.rank() - 1, dim(begin), dim(begin + size / 2));
}

/// x if v is x twice along the last axis, by a Tile; else absent.
inline value tiled_half(const value& v) {
  if (!producer(v, "Tile")) return {};
  const std::optional<ints> repeats = constant_integers(input_of(v, 1));
  ints twice(v.dims().size(), 1);
  if (!twice.empty()) twice.back() = 2;
  return repeats == twice ? input_of(v, 0) : value();
}

/// The first half of v if both halves along the last axis are known to be equal; else absent.
inline value equal_half(const context& c, const value& v) {
  if (v.is_constant()) return has_equal_halves(v, {0, last_extent(v).extent()}) ? first_half(c, v) : value();
  if (joins_halves(v)) return same_value(input_of(v, 0), input_of(v, 1)) ? input_of(v, 0) : value();
  if (const value half = tiled_half(v)) return half;
  if (const value half = equal_half_of_rows(v)) return half;
  const bool mapped = producer(v, "Cos") || producer(v, "Sin");
  if (!mapped && !(is_reshape(v) && keeps_last(v, 1))) return {};
  const value half = equal_half(c, input_of(v, 0));
  if (!half) return {};
  shape dims = v.dims();
  dims.back() = last_extent(half);
  if (mapped) return with_inputs(v, {half}, {v.dtype(), dims});
  return is_static_reshape(half, dims) ? reshape(half, dims) : value();
}

/// The operands of a rotation.
struct rotation {
  value x, cosines, sines;
};

/// Matches (a c - b s, b c + a s), where a and b are the halves of x.
inline bool match_halves(const context& c, const value& root, rotation& r) {
  value left, right, a, b;
  if (!joins_halves(root)) return false;
  left = input_of(root, 0);
  right = input_of(root, 1);
  if (!c.single_use(left) || !c.single_use(right)) return false;
  const auto first = [&](const value& v) { return bool(r.x = split_in_half(v, false)) && bool(a = v); };
  const auto second = [&](const value& v) { return same_value(split_in_half(v, true), r.x) && bool(b = v); };
  return match(left, m_op("Sub", m_commutes("Mul", first, m_value(r.cosines)),
                          m_commutes("Mul", second, m_value(r.sines)))) &&
         match(right, m_commutes("Add", m_commutes("Mul", m_same(b), m_same(r.cosines)),
                                 m_commutes("Mul", m_same(a), m_same(r.sines))));
}

/// Matches x (c, c) + (-b, a) (s, s), where a and b are the halves of x, and (c, c) joins c and c along the last axis.
inline bool match_turned(const context& c, const value& root, rotation& r) {
  value wide_cosines, wide_sines, turned;
  const auto is_turned = [&](const value& v) {
    value b;
    if (!joins_halves(v) || !match(input_of(v, 0), m_op("Neg", m_value(b)))) return false;
    r.x = split_in_half(b, true);
    return r.x && same_value(split_in_half(input_of(v, 1), false), r.x);
  };
  const auto turned_product = [&](const value& v) {
    return match(v, m_commutes("Mul", m_bind(turned, is_turned), m_value(wide_sines)));
  };
  const value p = input_of(root, 0), q = input_of(root, 1);
  const bool second = match(q, turned_product);
  if (!second && !match(p, turned_product)) return false;
  const auto is_x = [&](const value& v) {
    return same_value(v, r.x) || (is_leading_ones_reshape(r.x) && same_value(v, input_of(r.x, 0)));
  };
  if (!c.single_use(turned) || !match(second ? p : q, m_commutes("Mul", is_x, m_value(wide_cosines)))) return false;
  r.cosines = equal_half(c, wide_cosines);
  r.sines = equal_half(c, wide_sines);
  return r.cosines && r.sines;
}

/// Cosines or sines in the shape that RotaryEmbedding expects: without the axis of heads, and broadcast to all batches.
/// Absent if they differ between heads, or if the shape would be computed at run time.
inline value for_positions(const value& angles, const value& x, bool heads_first) {
  shape dims = angles.dims();
  while (dims.size() < 4) dims.insert(dims.begin(), dim(1));
  const std::size_t heads = heads_first ? 1 : 2, length = heads_first ? 2 : 1;
  if (dims.size() != 4 || !dims[heads].is(1)) return {};
  const shape narrow = {dims[0], dims[length], dims[3]}, wide = {x.dims()[0], x.dims()[length], dims[3]};
  return is_static_reshape(angles, narrow) ? broadcast_to(reshape(angles, narrow), wide) : value();
}

inline outcome fuse_rotary_embedding(const context& c, const value& root) {
  rotation r;
  const bool found = producer(root, "Concat") ? match_halves(c, root, r) : match_turned(c, root, r);
  if (!found || r.x.rank() != 4 || r.x.dims() != root.dims() || is_empty(root.dims())) return {};
  if (root.dtype() != dtype::f32) return decline("the element type is not float32");
  constexpr int opset_of_rotary_embedding = 23;
  if (c.g.opset() < opset_of_rotary_embedding) return decline("RotaryEmbedding needs opset 23");
  const dim heads = root.dims()[2], features = root.dims()[3];
  if (last_extent(r.cosines) != last_extent(r.sines) || dim(2 * last_extent(r.cosines).extent()) != features) return {};
  for (const bool heads_first : {false, true}) {
    const value cosines = for_positions(r.cosines, r.x, heads_first), sines = for_positions(r.sines, r.x, heads_first);
    if (!cosines || !sines) continue;
    if (heads_first) return c.g.emit("RotaryEmbedding", {r.x, cosines, sines}, root.type());
    if (!heads.is_constant()) return {};
    const value merged = reshape(r.x, {root.dims()[0], root.dims()[1], dim(heads.extent() * features.extent())});
    const value y =
        c.g.emit("RotaryEmbedding", {merged, cosines, sines}, merged.type(), {{"num_heads", heads.extent()}});
    return reshape(y, root.dims());
  }
  return decline("the angles depend on the head");
}

inline constexpr rule rotary_embedding_rules[] = {
    {"RotaryEmbedding",
     "Concat(a c - b s, b c + a s) -> RotaryEmbedding(x, c, s), x Concat(c, c) + Concat(-b, a) Concat(s, s) -> "
     "RotaryEmbedding(x, c, s), a and b are the halves of x",
     "float32; opset 23; x has four axes, and the last one is split; "
     "all heads have the same angles; Concat(c, c) may be a constant, rows of a constant, or a Tile",
     ops<"Concat", "Add">, fuse_rotary_embedding, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
