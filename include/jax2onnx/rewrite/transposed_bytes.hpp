#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/build/bytes.hpp>

namespace jax2onnx::rewrite {

/// The bytes of a weight with its axes in another order, made while they are streamed. A weight that cannot be viewed,
/// as it is compressed, is in memory as long as it is being streamed.
class transposed_source final : public byte_source {
 public:
  /// Elements of `width` bytes; `extents` are those of `data`.
  transposed_source(bytes data, std::size_t width, const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& perm)
      : data_(std::move(data)), width_(width) {
    std::vector<std::size_t> strides(extents.size(), width);
    for (std::size_t i = extents.size(); i-- > 1;) strides[i - 1] = strides[i] * static_cast<std::size_t>(extents[i]);
    for (std::int64_t axis : perm) {
      extents_.push_back(static_cast<std::size_t>(extents[static_cast<std::size_t>(axis)]));
      strides_.push_back(strides[static_cast<std::size_t>(axis)]);
    }
  }

  std::uint64_t size() const override { return data_.size(); }

  void stream(const sink& out) const override {
    constexpr std::size_t piece = std::size_t{1} << 16;
    std::vector<std::byte> inflated;
    if (data_.view().empty()) data_.stream([&](std::span<const std::byte> p) { inflated.insert(inflated.end(), p.begin(), p.end()); });
    const std::span<const std::byte> from = inflated.empty() ? data_.view() : inflated;
    std::vector<std::byte> buffer;
    buffer.reserve(piece + width_);
    std::vector<std::size_t> at(extents_.size());
    std::size_t offset = 0;
    for (std::uint64_t left = size() / width_; left > 0; --left) {
      const auto element = from.subspan(offset, width_);
      buffer.insert(buffer.end(), element.begin(), element.end());
      if (buffer.size() >= piece) {
        out(buffer);
        buffer.clear();
      }
      for (std::size_t axis = extents_.size(); axis-- > 0;) {  // the next index, last axis fastest
        offset += strides_[axis];
        if (++at[axis] < extents_[axis]) break;
        offset -= strides_[axis] * extents_[axis];
        at[axis] = 0;
      }
    }
    if (!buffer.empty()) out(buffer);
  }

 private:
  bytes data_;
  std::size_t width_;
  std::vector<std::size_t> extents_, strides_;  // of the result's axes
};

}  // namespace jax2onnx::rewrite
