// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <jax2onnx/lower/pallas/parallel_plan.hpp>

/// The blocks of all parallel programs in one array, whose leading axes are the parallel axes of the grid.
namespace jax2onnx::lower::pallas {

/// The parallel axes along which the blocks of an array differ, in order.
inline std::vector<std::size_t> leading_axes(const array_blocks& blocks) {
  std::vector<std::size_t> out;
  for (const axis_blocks& b : blocks)
    if (b.along) out.push_back(*b.along);
  std::ranges::sort(out);
  return out;
}

/// Returns whether blocks of `size` elements follow each other without gaps or overlaps.
inline bool are_consecutive(const ints& starts, std::int64_t size) {
  for (std::size_t i = 0; i < starts.size(); ++i)
    if (starts[i] != starts[0] + static_cast<std::int64_t>(i) * size) return false;
  return true;
}

/// Splits axis `axis` of x into an axis of blocks and an axis of their elements.
inline value divided(const value& x, std::int64_t axis, const ints& starts, std::int64_t size) {
  const auto n = std::ssize(starts);
  if (!are_consecutive(starts, size)) {
    std::vector<std::int64_t> elements;
    for (std::int64_t start : starts)
      for (std::int64_t i = 0; i < size; ++i) elements.push_back(start + i);
    return gather(x, array(x.owner(), dtype::i64, {n, size}, std::span<const std::int64_t>(elements)), axis);
  }
  const value part = slice(x, axis, starts[0], starts[0] + n * size);
  shape dims = part.dims();
  dims[static_cast<std::size_t>(axis)] = n;
  dims.insert(dims.begin() + axis + 1, dim(size));
  return reshape(part, dims);
}

/// The position of each axis after division: [blocks, elements] for divided axes, elements for all other axes.
struct divided_axes {
  /// For each axis of the array, the position of its blocks; nullopt if the axis is not divided.
  std::vector<std::optional<std::int64_t>> blocks;
  ints elements;
  std::int64_t rank = 0;

  explicit divided_axes(const array_blocks& all) {
    for (const axis_blocks& b : all) {
      blocks.push_back(b.along ? std::optional(rank) : std::nullopt);
      rank += b.along ? 1 : 0;
      elements.push_back(rank++);
    }
  }
  /// The order of all axes: first the axes of blocks, in the order of leading_axes(), then the axes of elements.
  ints order(const array_blocks& all) const {
    ints out;
    for (std::size_t k : leading_axes(all))
      for (std::size_t d = 0; d < all.size(); ++d)
        if (all[d].along == k) out.push_back(*blocks[d]);
    out.insert(out.end(), elements.begin(), elements.end());
    return out;
  }
};

/// The blocks of an array. Along axes on which programs do not differ, x is already one block.
inline value split_blocks(value x, const array_blocks& blocks, const block_mapping& m) {
  const divided_axes axes(blocks);
  for (std::size_t d = 0; d < blocks.size(); ++d)
    if (blocks[d].along) x = divided(x, *axes.blocks[d], blocks[d].starts, m.axes[d].size.extent());
  x = transpose(x, axes.order(blocks));
  shape dims = x.dims().head(axes.rank - std::ssize(blocks));
  for (std::size_t d = 0; d < blocks.size(); ++d)
    if (m.axes[d].kind != block_kind::squeezed) dims.push_back(m.axes[d].size);
  return reshape(x, dims);
}

/// Joins the blocks of all parallel programs to an array.
inline value join_blocks(value x, const array_blocks& blocks, const block_mapping& m, const shape& whole) {
  const divided_axes axes(blocks);
  shape dims = x.dims().head(axes.rank - std::ssize(blocks));
  for (const block_axis& a : m.axes) dims.push_back(a.size);
  x = reshape(x, dims);
  const ints order = axes.order(blocks);
  ints inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  x = transpose(x, inverse);
  for (std::size_t d = 0; d < blocks.size(); ++d) {
    const std::int64_t size = m.axes[d].size.extent();
    if (!blocks[d].along || are_consecutive(blocks[d].starts, size)) continue;
    ints at(blocks[d].starts.size());
    for (std::size_t i = 0; i < at.size(); ++i)
      at[static_cast<std::size_t>(blocks[d].starts[i] / size)] = static_cast<std::int64_t>(i);
    x = gather(x, int64s(x.owner(), at), *axes.blocks[d]);
  }
  return reshape(x, whole);
}

}  // namespace jax2onnx::lower::pallas
