// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/lower/control/unwritten.hpp>
#include <jax2onnx/lower/indexing/dynamic_slice.hpp>
#include <jax2onnx/lower/pallas/grid_mapping.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Arrays that a kernel reads and writes block by block.
namespace jax2onnx::lower::pallas {

/// The type of an array after padding, which makes its extents multiples of the extents of a block.
inline aval padded_type(const site& s, const block_mapping& m, aval array) {
  for (std::size_t i = 0; i < m.axes.size(); ++i) {
    const dim size = m.axes[i].size;
    dim& whole = array.dims[i];
    whole = s.g.dims().add(whole, m.axes[i].low + m.axes[i].high);
    if (whole == size || size.is(1)) continue;
    if (!whole.is_constant() || !size.is_constant())
      s.unsupported("an axis is divided into blocks, but its extent or the size of a block is symbolic",
                    "trace the function with fixed sizes");
    if (size.extent() < 1) s.malformed("a block has no elements");
    whole = (whole.extent() + size.extent() - 1) / size.extent() * size.extent();
  }
  return array;
}

/// The array, padded with undefined elements.
inline jax_value padded(const site& s, const block_mapping& m, const jax_value& array, const aval& from,
                        const aval& to) {
  if (from.dims == to.dims) return array;
  shape low, high;
  for (std::size_t i = 0; i < m.axes.size(); ++i) {
    low.push_back(m.axes[i].low);
    high.push_back(s.g.dims().sub(s.g.dims().sub(to.dims[i], from.dims[i]), m.axes[i].low));
  }
  const jax_value fill = unwritten(s.g, {from.elem, {}});
  return each_part(array, fill, [&](const value& x, const value& f) { return pad(x, low, high, f); });
}
/// The inverse of padded().
inline jax_value unpadded(const block_mapping& m, const jax_value& array, const aval& from) {
  return each_part(array, [&](const value& x) {
    if (x.dims() == from.dims) return x;
    ints axes;
    shape begins, ends;
    for (std::size_t i = 0; i < m.axes.size(); ++i) {
      axes.push_back(static_cast<std::int64_t>(i));
      begins.push_back(m.axes[i].low);
      ends.push_back(x.owner().dims().add(from.dims[i], m.axes[i].low));
    }
    return slice(x, axes, begins, ends, ints(axes.size(), 1));
  });
}

/// The position of a block: its starts along the axes that it does not span.
using block_place = std::vector<slice_start>;

/// Returns whether two blocks of one mapping surely have the same position, or surely have no element in common.
/// @{
inline bool same_place(const block_place& a, const block_place& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].computed ? !b[i].computed || a[i].computed.id() != b[i].computed.id()
                      : b[i].computed || a[i].known != b[i].known)
      return false;
  return true;
}
inline bool apart(const block_place& a, const block_place& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].computed || b[i].computed || !a[i].known.is_constant() || !b[i].known.is_constant()) continue;
    const std::int64_t distance = a[i].known.extent() - b[i].known.extent();
    if (a[i].size.is_constant() && std::max(distance, -distance) >= a[i].size.extent()) return true;
  }
  return false;
}
/// @}

/// An array whose blocks are read and written. Written blocks stay separate until a block that may overlap with one of
/// them is read or written. whole() joins the written blocks, or writes them into the array if they do not cover the
/// array.
class block_array {
 public:
  explicit block_array(jax_value whole) : whole_(std::move(whole)) {}

  jax_value read(const block_place& at) {
    for (const piece& p : pieces_)
      if (same_place(p.at, at)) return p.block;
    if (!item_loops::all_of(pieces_, [&](const piece& p) { return apart(p.at, at); })) merge();
    return each_part(whole_, [&](const value& x) { return at.empty() ? x : slice_at(x, at); });
  }
  void write(const block_place& at, jax_value block) {
    if (at.empty()) {
      whole_ = std::move(block);
      return;
    }
    for (piece& p : pieces_)
      if (same_place(p.at, at)) {
        p.block = std::move(block);
        return;
      }
    if (!all_known(at) || !item_loops::all_of(pieces_, [&](const piece& p) { return apart(p.at, at); })) merge();
    if (all_known(at)) pieces_.push_back({at, std::move(block)});
    else whole_ = updated(whole_, at, block);
  }
  const jax_value& whole() {
    if (!pieces_.empty() && !join()) merge();
    return whole_;
  }

 private:
  struct piece {
    block_place at;
    jax_value block;
  };

  static jax_value updated(const jax_value& whole, const block_place& at, const jax_value& block) {
    return each_part(whole, block, [&](const value& x, const value& b) { return update_at(x, b, at); });
  }
  void merge() {
    for (const piece& p : pieces_) whole_ = updated(whole_, p.at, p.block);
    pieces_.clear();
  }
  /// Joins the pieces if they cover the whole array; returns whether they do.
  bool join() {
    std::vector<const piece*> all;
    for (const piece& p : pieces_) all.push_back(&p);
    const auto joined = join_from(0, std::move(all));
    if (joined) whole_ = *joined, pieces_.clear();
    return joined.has_value();
  }
  std::optional<jax_value> join_from(std::size_t level, std::vector<const piece*> some) const {
    if (level == some[0]->at.size()) return some.size() == 1 ? std::optional(some[0]->block) : std::nullopt;
    std::ranges::stable_sort(some, {}, [&](const piece* p) { return p->at[level].known.extent(); });
    const std::int64_t axis = some[0]->at[level].axis, size = some[0]->at[level].size.extent();
    std::int64_t end = 0;
    std::vector<jax_value> parts;
    for (std::size_t i = 0, next; i < some.size(); i = next) {
      const std::int64_t start = some[i]->at[level].known.extent();
      if (start != end) return std::nullopt;
      for (next = i; next < some.size() && some[next]->at[level].known.is(start);) ++next;
      const auto part = join_from(
          level + 1, {some.begin() + static_cast<std::ptrdiff_t>(i), some.begin() + static_cast<std::ptrdiff_t>(next)});
      if (!part) return std::nullopt;
      parts.push_back(*part);
      end = start + size;
    }
    if (!whole_.re().extent(axis).is(end)) return std::nullopt;
    return from_parts(whole_.count, [&](std::size_t p) {
      std::vector<value> tensors;
      for (const jax_value& v : parts) tensors.push_back(v.part(p));
      return concat(tensors, axis);
    });
  }

  jax_value whole_;
  std::vector<piece> pieces_;
};

}  // namespace jax2onnx::lower::pallas
