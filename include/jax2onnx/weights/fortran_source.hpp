#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/weights/file_source.hpp>
#include <jax2onnx/weights/spill.hpp>
#include <jax2onnx/weights/streamed_source.hpp>

namespace jax2onnx {

/// Reads at ascending offsets of a file: many small reads that lie close together become few large ones.
class window_reader {
 public:
  explicit window_reader(const mapped_file& file) : file_(file) {}
  void read(std::uint64_t offset, std::span<std::byte> to) {
    const std::uint64_t end = begin_ + window_.size();
    if (offset < begin_ || offset + to.size() > end) {
      const bool near = offset >= begin_ && offset < end + nearby && to.size() < nearby;
      if (!near && to.size() >= nearby) return file_.read(offset, to);
      window_.resize(
          static_cast<std::size_t>(std::min<std::uint64_t>(near ? widest : to.size(), file_.size() - offset)));
      begin_ = offset;
      file_.read(offset, window_);
    }
    std::memcpy(to.data(), window_.data() + (offset - begin_), to.size());
  }

 private:
  static constexpr std::uint64_t nearby = 1 << 14, widest = 1 << 18;
  const mapped_file& file_;
  std::uint64_t begin_ = 0;
  std::vector<std::byte> window_;
};

/// A column-major (Fortran order) array as a row-major one: blocks of the result are gathered from the file. What is
/// not in a file, because it has to be inflated, is spilled to a temporary file first.
class fortran_source final : public streamed_source {
 public:
  /// `file` is null when the elements have to be streamed; else they lie in it at `offset`, and are checked by
  /// streaming.
  fortran_source(std::shared_ptr<const byte_source> elements, std::shared_ptr<const mapped_file> file,
                 std::uint64_t offset, std::vector<std::int64_t> extents, std::uint32_t item_bytes)
      : elements_(std::move(elements)), file_(std::move(file)), offset_(offset), item_(item_bytes) {
    for (std::int64_t extent : extents) shape_.push_back(static_cast<std::uint64_t>(extent));
  }
  std::uint64_t size() const override { return elements_->size(); }
  void stream(const sink& out) const override;

 private:
  static constexpr std::uint64_t budget = std::uint64_t{16} << 20;  // bytes of a block

  struct gatherer;
  std::shared_ptr<const byte_source> elements_;
  std::shared_ptr<const mapped_file> file_;
  std::uint64_t offset_;
  std::vector<std::uint64_t> shape_;
  std::uint64_t item_;
};

struct fortran_source::gatherer {
  window_reader file;
  std::uint64_t offset, item;
  std::vector<std::uint64_t> shape, stride, inner;  // strides of the file, and items below an axis in the result
  const sink& out;
  std::vector<std::byte> block{}, span{};

  // The result is cut along `axis`, all axes before it fixed at `base`.
  void cut(std::size_t axis, std::uint64_t base) {
    const std::uint64_t rows = std::max<std::uint64_t>(1, budget / (item * inner[axis]));
    if (inner[axis] * item > budget) {
      for (std::uint64_t i = 0; i < shape[axis]; ++i) cut(axis + 1, base + i * stride[axis]);
      return;
    }
    for (std::uint64_t i = 0; i < shape[axis]; i += rows) {
      const std::uint64_t n = std::min(rows, shape[axis] - i);
      block.resize(static_cast<std::size_t>(n * inner[axis] * item));
      gather(axis, n, base + i * stride[axis]);
      for (std::size_t at = 0; at < block.size(); at += piece_size)
        out(std::span(block).subspan(at, std::min(piece_size, block.size() - at)));
    }
  }
  // Runs along `axis`, one for every element below it.
  void gather(std::size_t axis, std::uint64_t n, std::uint64_t base) {
    std::vector<std::uint64_t> index(shape.size());
    for (std::uint64_t below = 0; below < inner[axis]; ++below) {
      std::uint64_t from = base, to = 0;
      for (std::size_t a = axis + 1; a < shape.size(); ++a) {
        from += index[a] * stride[a];
        to += index[a] * inner[a];
      }
      run(from, stride[axis], n, to, inner[axis]);
      for (std::size_t a = axis + 1; a < shape.size() && ++index[a] == shape[a]; ++a) index[a] = 0;
    }
  }
  // Copies n items, `step` apart in the file and `to_step` apart in the block; reads bounded spans of the file.
  void run(std::uint64_t from, std::uint64_t step, std::uint64_t n, std::uint64_t to, std::uint64_t to_step) {
    const std::uint64_t most = std::max<std::uint64_t>(1, piece_size / (step * item));
    for (std::uint64_t i = 0; i < n; i += most) {
      const std::uint64_t count = std::min(most, n - i);
      span.resize(static_cast<std::size_t>(((count - 1) * step + 1) * item));
      file.read(offset + (from + i * step) * item, span);
      for (std::uint64_t k = 0; k < count; ++k)
        std::memcpy(block.data() + (to + (i + k) * to_step) * item, span.data() + k * step * item, item);
    }
  }
};

inline void fortran_source::stream(const sink& out) const {
  if (size() == 0) return;
  std::shared_ptr<const mapped_file> file = file_;
  if (!file) file = spill(*elements_);
  else elements_->stream([](std::span<const std::byte>) {});
  std::vector<std::uint64_t> stride(shape_.size(), 1), inner(shape_.size(), 1);
  for (std::size_t a = 1; a < shape_.size(); ++a) stride[a] = stride[a - 1] * shape_[a - 1];
  for (std::size_t a = shape_.size() - 1; a-- > 0;) inner[a] = inner[a + 1] * shape_[a + 1];
  gatherer{window_reader(*file), file_ ? offset_ : 0, item_, shape_, stride, inner, out}.cut(0, 0);
}

}  // namespace jax2onnx
