// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/support/spill.hpp>
#include <jax2onnx/support/streamed_source.hpp>

namespace jax2onnx::detail {

/// Reads elements in ascending order. Merges small reads that are close together into large ones.
class window_reader {
 public:
  explicit window_reader(const byte_source& source) : source_(source) {}
  void read(std::uint64_t offset, std::span<std::byte> to) {
    const std::uint64_t end = begin_ + window_.size();
    if (offset < begin_ || offset + to.size() > end) {
      const bool near = offset >= begin_ && offset < end + nearby && to.size() < nearby;
      if (!near && to.size() >= nearby) {
        source_.read(offset, to);
        return;
      }
      window_.resize(
          static_cast<std::size_t>(std::min<std::uint64_t>(near ? widest : to.size(), source_.size() - offset)));
      begin_ = offset;
      source_.read(offset, window_);
    }
    std::memcpy(to.data(), window_.data() + (offset - begin_), to.size());
  }

 private:
  static constexpr std::uint64_t nearby = 1 << 14, widest = 1 << 18;
  const byte_source& source_;
  std::uint64_t begin_ = 0;
  std::vector<std::byte> window_;
};

/// A row-major view of elements that are stored in another order: in column-major order, or in the order of a
/// transposed weight. Gathers blocks of the result. If the elements cannot be read at random, because they are
/// compressed, they are first spilled to a temporary file.
class permuted_source final : public streamed_source {
 public:
  /// `strides` are the strides of the extents in `elements`, in items.
  permuted_source(bytes elements, std::vector<std::uint64_t> extents, std::vector<std::uint64_t> strides,
                  std::uint64_t item_bytes)
      : elements_(std::move(elements)), shape_(std::move(extents)), strides_(std::move(strides)), item_(item_bytes) {}
  /// The elements in the order in which they are stored.
  const bytes& elements() const { return elements_; }
  /// The distance between neighbours along each axis in the stored elements, in items.
  const std::vector<std::uint64_t>& strides() const { return strides_; }
  std::uint64_t size() const override { return elements_.size(); }
  std::uint64_t stored_size() const override { return elements_.stored_size(); }
  std::size_t depth() const override { return elements_.depth(); }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  static constexpr std::uint64_t budget = std::uint64_t{16} << 20;  // maximum bytes of a block

  struct gatherer;
  bytes elements_;
  std::vector<std::uint64_t> shape_, strides_;
  std::uint64_t item_;
};

/// The strides of column-major (Fortran order) extents.
inline std::vector<std::uint64_t> column_major_strides(const std::vector<std::uint64_t>& extents) {
  std::vector<std::uint64_t> strides(extents.size(), 1);
  for (std::size_t a = 1; a < extents.size(); ++a) strides[a] = strides[a - 1] * extents[a - 1];
  return strides;
}

struct permuted_source::gatherer {
  window_reader source;
  std::uint64_t item;
  const std::vector<std::uint64_t>&shape, &stride;
  std::vector<std::uint64_t> inner;  // for each axis, the number of items at one index along it
  const sink& out;
  std::vector<std::byte> block{}, span{};

  // Cuts the result along `axis`; `base` is the stored position that the indices of the axes before `axis` select.
  void cut(std::size_t axis, std::uint64_t base) {
    if (inner[axis] * item > budget) {
      for (std::uint64_t i = 0; i < shape[axis]; ++i) cut(axis + 1, base + i * stride[axis]);
      return;
    }
    const std::uint64_t rows = std::max<std::uint64_t>(1, budget / (item * inner[axis]));
    std::vector<std::uint64_t> extents = shape;
    for (std::uint64_t i = 0; i < shape[axis]; i += rows) {
      extents[axis] = std::min(rows, shape[axis] - i);
      block.resize(static_cast<std::size_t>(extents[axis] * inner[axis] * item));
      gather(axis, extents, base + i * stride[axis]);
      for (std::size_t at = 0; at < block.size(); at += piece_size)
        out(std::span(block).subspan(at, std::min(piece_size, block.size() - at)));
    }
  }
  // Gathers the axes from `first` on in the order of storage, in runs along the axis with the smallest stride.
  void gather(std::size_t first, const std::vector<std::uint64_t>& extents, std::uint64_t base) {
    std::vector<std::size_t> axes(shape.size() - first);
    std::iota(axes.begin(), axes.end(), first);
    const auto after = [&](std::size_t a, std::size_t b) {
      const bool flat_a = extents[a] == 1, flat_b = extents[b] == 1;
      return flat_a != flat_b ? flat_a : stride[a] > stride[b];
    };
    for (std::size_t i = 1; i < axes.size(); ++i)  // an insertion sort, since there are few axes
      for (std::size_t k = i; k > 0 && after(axes[k - 1], axes[k]); --k) std::swap(axes[k - 1], axes[k]);
    const std::size_t along = axes.front();
    std::vector<std::uint64_t> index(shape.size());
    for (std::uint64_t left = block.size() / item / extents[along]; left > 0; --left) {
      std::uint64_t from = base, to = 0;
      for (std::size_t a : axes) {
        from += index[a] * stride[a];
        to += index[a] * inner[a];
      }
      run(from, stride[along], extents[along], to, inner[along]);
      for (auto a = axes.begin() + 1; a != axes.end() && ++index[*a] == extents[*a]; ++a) index[*a] = 0;
    }
  }
  // Copies n items, `step` apart in storage and `to_step` apart in the block; reads bounded spans.
  void run(std::uint64_t from, std::uint64_t step, std::uint64_t n, std::uint64_t to, std::uint64_t to_step) {
    const std::uint64_t most = std::max<std::uint64_t>(1, piece_size / (step * item));
    for (std::uint64_t i = 0; i < n; i += most) {
      const std::uint64_t count = std::min(most, n - i);
      span.resize(static_cast<std::size_t>(((count - 1) * step + 1) * item));
      source.read((from + i * step) * item, span);
      for (std::uint64_t k = 0; k < count; ++k)
        std::memcpy(block.data() + (to + (i + k) * to_step) * item, span.data() + k * step * item, item);
    }
  }
};

/// Bytes in memory, with random access.
class memory_source final : public byte_source {
 public:
  explicit memory_source(std::span<const std::byte> data) : data_(data) {}
  std::uint64_t size() const override { return data_.size(); }
  std::span<const std::byte> view() const override { return data_; }
  void stream(const sink& out) const override { out(data_); }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override {
    if (!to.empty()) std::memcpy(to.data(), data_.data() + offset, to.size());
    return true;
  }

 private:
  std::span<const std::byte> data_;
};

/// `content` as a source with random access; verifies the content.
inline std::shared_ptr<const byte_source> readable(const bytes& content) {
  constexpr std::uint64_t few = 4096;
  if ((content.in_place() || content.size() <= few) && !content.view().empty())
    return std::make_shared<const memory_source>(content.view());
  if (content.source() && content.source()->read(0, {})) {
    content.stream([](std::span<const std::byte>) {});  // streaming checks the bytes
    return {std::shared_ptr<const byte_source>(), content.source()};
  }
  const auto file = spill(content);
  return std::make_shared<const file_source>(file, 0, file->size());
}

inline void permuted_source::stream(const sink& out) const {
  if (size() == 0 || shape_.size() < 2) return elements_.stream(out);
  const std::shared_ptr<const byte_source> source = readable(elements_);
  std::vector<std::uint64_t> inner(shape_.size(), 1);
  for (std::size_t a = shape_.size() - 1; a-- > 0;) inner[a] = inner[a + 1] * shape_[a + 1];
  gatherer{window_reader(*source), item_, shape_, strides_, inner, out}.cut(0, 0);
}

}  // namespace jax2onnx::detail
