// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/file_source.hpp>

/// Parts of weights that the model reads at constant indices: rows of a table of positions, halves of a vector, layers
/// of stacked weights. Such parts become constants, so that the model need not contain the whole weight.
namespace jax2onnx::rewrite::detail {

/// The size of the largest part that is copied, in bytes. One item of the first axis may be larger.
inline constexpr std::uint64_t largest_part = std::uint64_t{1} << 20;

/// The item of x at `index` along the first axis, or along a later axis if all axes before that axis have extent 1,
/// such as a layer of stacked weights. The item has `size` bytes, and may be large: it is a range of x's source, or a
/// copy if x is in memory. Absent if the index is out of range, or if the bytes of x can only be streamed, for example
/// if x is compressed.
inline value item_of(const context& c, const value& x, std::int64_t index, std::uint64_t size,
                     const tensor_type& type) {
  const auto extent = static_cast<std::int64_t>(x.data().size() / size);
  const std::int64_t from = index + (index < 0 ? extent : 0);
  if (from < 0 || from >= extent || !jax2onnx::detail::read_at(x.data(), 0, {})) return {};
  const std::uint64_t offset = static_cast<std::uint64_t>(from) * size;
  if (x.data().in_place()) {
    const auto item = x.data().view().subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    return c.g.constant(type, bytes(std::string(reinterpret_cast<const char*>(item.data()), item.size())));
  }
  return c.g.constant(type, bytes(std::make_shared<jax2onnx::detail::range_source>(x.data(), offset, size)));
}

/// A constant with the elements of the constant x at `indices` along `axis`. Absent if an index is out of range, if x
/// is empty along `axis` or a later axis, if elements have less than 8 bits, if the bytes of x can only be streamed, or
/// if the part is larger than `largest_part` and item_of() cannot make it.
inline value part_of(const context& c, const value& x, std::int64_t axis, std::span<const std::int64_t> indices,
                     const tensor_type& type) {
  std::uint64_t blocks = 1, item = 1;
  for (std::int64_t i = 0; i < x.rank(); ++i)
    (i < axis ? blocks : item) *= static_cast<std::uint64_t>(x.extent(i).extent());
  const auto extent = static_cast<std::uint64_t>(x.extent(axis).extent());
  const auto width = static_cast<std::uint64_t>(bits(x.dtype()));
  if (width % 8 != 0 || extent == 0 || item == 0) return {};
  item = item / extent * (width / 8);
  if (blocks == 1 && indices.size() == 1) return item_of(c, x, indices.front(), item, type);
  if (blocks * indices.size() * item > largest_part) return {};
  std::string data(blocks * indices.size() * item, '\0');
  std::byte* to = reinterpret_cast<std::byte*>(data.data());
  for (std::uint64_t b = 0; b < blocks; ++b)
    for (const std::int64_t index : indices) {
      const std::int64_t from = index + (index < 0 ? x.extent(axis).extent() : 0);
      if (from < 0 || from >= x.extent(axis).extent()) return {};
      const std::uint64_t offset = (b * extent + static_cast<std::uint64_t>(from)) * item;
      if (!jax2onnx::detail::read_at(x.data(), offset, {to, static_cast<std::size_t>(item)})) return {};
      to += item;
    }
  return c.g.constant(type, bytes(std::move(data)));
}

/// Returns whether a part of x may be copied. This is the case if x is read once, if all readers of x take parts that
/// together are no larger than x, or if both x and the part are small.
inline bool may_be_copied(const context& c, const value& x, const value& part) {
  const auto is_small = [](const value& v) {
    std::uint64_t bytes = static_cast<std::uint64_t>(bits(v.dtype())) / 8;
    for (const dim d : v.dims()) bytes = std::min(bytes * static_cast<std::uint64_t>(d.extent()), folding_limit + 1);
    return bytes <= folding_limit;
  };
  return c.single_use(x) || c.uses.in_parts(x) || (is_small(x) && is_small(part));
}

inline outcome stored_twice() { return decline("the weight would be stored twice, whole and in part"); }

/// Returns whether more than half of `rows` repeat other rows, and `part` has more than `folding_limit` bytes, but at
/// most `largest_part`.
inline bool repeats_large(const value& part, ints rows) {
  std::uint64_t bytes = static_cast<std::uint64_t>(bits(part.dtype())) / 8;
  for (const dim d : part.dims()) bytes = std::min(bytes * static_cast<std::uint64_t>(d.extent()), largest_part + 1);
  std::ranges::sort(rows);
  const auto again = std::ranges::unique(rows);
  return bytes > folding_limit && bytes <= largest_part && 2 * again.size() > rows.size();
}

inline outcome fold_gather(const context& c, const value& root) {
  const value x = input_of(root, 0), indices = input_of(root, 1);
  if (!x.is_constant() || !indices.is_constant() || !is_integer(indices.dtype())) return {};
  const std::optional<ints> rows = constant_integers(indices);
  if (!rows) return {};
  if (!may_be_copied(c, x, root)) return stored_twice();
  if (repeats_large(root, *rows)) return decline("a copy would mostly repeat rows of the constant");
  return part_of(c, x, axis_of(root), *rows, root.type());
}

inline outcome fold_slice(const context& c, const value& root) {
  const value x = input_of(root, 0);
  if (!x.is_constant() || !is_static(root.dims())) return {};
  const auto axes = slice_of(root);
  if (!axes) return {};
  if (!may_be_copied(c, x, root)) return stored_twice();
  value part = x;
  for (const sliced_axis& a : *axes) {
    ints indices = iota_axes(a.count.extent());
    for (std::int64_t& k : indices) k = a.first + k * a.step;
    tensor_type type = part.type();
    type.dims[static_cast<std::size_t>(a.axis)] = a.count;
    part = part_of(c, part, a.axis, indices, type);
    if (!part) return {};
  }
  return part;
}

inline outcome fold_split(const context& c, const value& root) {
  const value x = input_of(root, 0);
  if (!x.is_constant()) return {};
  if (!may_be_copied(c, x, root)) return stored_twice();
  const std::int64_t axis = axis_of(root);
  outcome parts;
  std::int64_t from = 0;
  for (const value_id id : producer(root)->outputs) {
    if (id == value_id::none) return {};
    const value old(c.g, id);
    ints indices = iota_axes(old.extent(axis).extent());
    for (std::int64_t& i : indices) i += from;
    from += old.extent(axis).extent();
    const value part = part_of(c, x, axis, indices, old.type());
    if (!part) return {};
    parts.all.push_back(part);
  }
  return parts;
}

inline constexpr rule constant_part_rules[] = {
    {"fold-gather", "Gather(c, d, axis) -> e",
     "c is read once, or only in parts that together are no larger than c, or c and e have at most 4 KiB each; e has "
     "at most 1 MiB (4 KiB if it mostly repeats rows), or is one item of the first axis; the indices are in range",
     ops<"Gather">, fold_gather},
    {"fold-slice", "Slice(c, i, j, axes, steps) -> d", "as fold-gather", ops<"Slice">, fold_slice, stage::late},
    {"fold-split", "Split(c, axis) -> d, e, ...",
     "c is a constant that is read once, or only in parts that together are no larger than c, or that has at most 4 "
     "KiB; each part has at most 1 MiB, or is one item of the first axis",
     ops<"Split">, fold_split, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
